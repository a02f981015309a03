import DurableMessaging
import FoundationEssentials
import People
import WireProtocol

// What people are told of things and agreements.

extension Thing {
    /// A thing as `viewer` may see it: the plate is its owner's alone, the door also who has it.
    init(_ seen: SeenThing, for viewer: PersonID?, among people: KnownPeople, isModerator: Bool = false) {
        let (thing, details) = (seen.thing, seen.thing.details)
        let mine = viewer != nil && viewer == thing.owner
        let isExact = seen.showsDoor(to: viewer)
        self.init(
            id: thing.id, kind: thing.kind, state: thing.state, title: details.title, description: details.description,
            brand: details.brand, model: details.model, plate: mine ? details.plate : nil, size: details.size,
            region: details.region, place: details.place, address: isExact ? details.address : nil,
            position: isExact ? details.position : details.position?.onGrid,
            isExact: isExact && details.position != nil, photos: details.photos,
            available: details.available.map(AvailableDays.init), terms: thing.terms, owner: people[thing.owner],
            postedAt: thing.postedAt, distance: seen.distance.map { Int($0.ground.rounded()) }, mine: mine,
            action: seen.action(for: viewer),
            rental: seen.rental, hidden: mine || isModerator ? thing.hidden : nil,
            version: mine ? thing.version : nil)
    }
}

extension PublicThing {
    init(_ thing: RentableThing, owner: PersonSummary) {
        self.init(
            id: thing.id, kind: thing.kind, title: thing.details.title, brand: thing.details.brand,
            model: thing.details.model, region: thing.details.region, place: thing.details.place,
            position: thing.details.position?.onGrid, photo: thing.details.photos.first, terms: thing.terms,
            owner: owner, postedAt: thing.postedAt)
    }
}

extension Rental {
    /// - Parameter thing: where its door may be told; nil where it is gone.
    init(
        _ agreement: Agreement, _ thing: RentableThing?, for viewer: PersonID, isModerator: Bool,
        among people: KnownPeople, at now: Date
    ) {
        let role = agreement.role(of: viewer)
        let door = role == .owner || role == .renter && agreement.showsDoor ? thing?.details : nil
        self.init(
            id: agreement.id,
            thing: RentedThing(
                id: agreement.thing, kind: agreement.kind, title: agreement.title, photo: agreement.photo,
                address: door?.address, position: door?.position),
            owner: people[agreement.owner], renter: people[agreement.renter], role: role, state: agreement.state,
            from: agreement.period.from, until: agreement.period.until, zone: agreement.period.zone,
            startsAt: agreement.period.startsAt, endsAt: agreement.period.endsAt, units: agreement.period.units,
            terms: agreement.terms, cost: agreement.cost, owed: agreement.owed, message: agreement.message,
            requestedAt: agreement.requestedAt, answerBy: agreement.state == .requested ? agreement.answerBy : nil,
            acceptedAt: agreement.acceptedAt, changedAt: agreement.changedAt,
            changedBy: agreement.changedBy.map { people[$0] },
            reason: agreement.reason, evidence: agreement.evidence,
            possible: agreement.possible(for: .init(role, isModerator: isModerator), at: now))
    }
}

extension RentalParty {
    /// Who is one of the two acts as that, and not as a moderator: nobody settles what is their own.
    init?(_ role: RentalRole?, isModerator: Bool) {
        switch role {
        case .owner: self = .owner
        case .renter: self = .renter
        case nil where isModerator: self = .moderator
        case nil: return nil
        }
    }
}

extension Agreement {
    /// Whom an answer about it may name.
    var people: Set<PersonID> { Set([owner, renter] + (changedBy.map { [$0] } ?? [])) }
}
