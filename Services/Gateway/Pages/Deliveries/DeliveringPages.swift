import Hummingbird
import WireProtocol

/// The pages of who brings something along, and those of a delivery for both.
enum DeliveringPages {
    static func register(on routes: PageRoutes) {
        DeliverPage.register(on: routes)
        DeliverActs.register(on: routes)
        MatchesPage.register(on: routes)
        MatchPage.register(on: routes)
        MatchLive.register(on: routes)
        MatchActPage.register(on: routes)
        MatchDisputesPage.register(on: routes)
    }

    /// How many disputed deliveries wait to be settled.
    static func cases(in visit: Visit) async -> [CasesPage.Choice] {
        let query = MatchQuery(disputed: true, limit: 100)
        let found = try? await visit.ask(MatchingMethods.matches, query, Nothing(), within: 2)
        let title = visit.words["matches.disputes.title"]
        return [.init(to: MatchDisputesPage.path, called: title, counting: found, in: visit.words)]
    }

    /// The delivery that a chat is about.
    static func panel(of room: Room, in visit: Visit) async -> PagePart? {
        await RoomMatch(of: room, in: visit).map { PagePart(template: "matches/room", model: $0) }
    }

    /// A delivery that is about to be reported; nil of anything else.
    static func reported(_ subject: Subject, in visit: Visit) async throws -> ReportedThing? {
        guard let id = subject.id(of: DeliveryMatch.self) else { return nil }
        let match = try await visit.ask(MatchingMethods.match, MatchReference(id: id), Nothing())
        // What it says was written by who ordered.
        return ReportedThing(title: match.title, said: match.items, back: match.path, isOwn: false)
    }

    /// The way to what one brings, has brought, and was brought.
    static func own(in words: Words) -> [PageLink] {
        [PageLink(href: MatchesPage.path, icon: "restaurant", text: words["matches.mine"])]
    }
}

extension DeliveryMatch {
    var path: String { "/matches/\(id)" }

    /// `Unicafe → Exactum`
    var title: String { "\(restaurant.name) → \(dropOff.name)" }

    /// The other one of the two; for moderators the orderer.
    var other: PersonSummary { role == .orderer ? deliverer : orderer }

    /// What the two have completed, once they have.
    var encounter: Subject { Subject(id) }

    /// Whether it is agreed on, and not over.
    var isInHand: Bool { !state.isOver && state != .offered }
}
