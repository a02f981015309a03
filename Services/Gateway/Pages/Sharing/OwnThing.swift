import Hummingbird
import PlainText
import WireProtocol

/// The pages on which people share things and look after what they share.
enum SharingPages {
    static func register(on routes: PageRoutes) {
        Neighbourhood.register(on: routes)
        ShareThingPage.register(on: routes)
        EditThingPage.register(on: routes)
        WizardPage.register(on: routes)
        ThingStatePage.register(on: routes)
        OwnCalendarPage.register(on: routes)
        MyThingsPage.register(on: routes)
    }
}

extension Visit {
    /// The thing in the address, which is the visitor's own.
    /// - Throws: `unauthenticated`, `notFound`, `forbidden`.
    func ownThing(_ kind: ThingKind? = nil) async throws -> Thing {
        try context.requirePerson()
        let thing = try await ask(ListingsMethods.thing, ThingReference(id: try id(), kind: kind), Nothing())
        guard thing.mine else { throw ServiceError(.forbidden, "Only the one who shares this may do that.") }
        return thing
    }

    /// Which cars there are; nil where that cannot be learned now.
    func carModels(for kind: ThingKind) async throws -> CarModels? {
        kind.look.isVehicle ? try await askUnlessAway(ListingsMethods.carModels, Nothing()) : nil
    }

    /// What a thing is called where it may be a draft that has no title yet.
    func name(of thing: Thing) -> String {
        thing.title.nonEmpty ?? thing.place ?? words["sharing.untitled.\(thing.kind.rawValue)"]
    }
}

extension Thing {
    /// Of one's own: what was listed once has a plate, and where none is told it can't be read any more.
    var hasLostPlate: Bool { mine && kind.look.isVehicle && state != .draft && plate == nil }
}
