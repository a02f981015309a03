import DurableMessaging
import FoundationEssentials
import WireProtocol

// What is true of a car, a space or a place to park that somebody lets. No I/O and no clock.

struct RentableThing: Hashable, Sendable {
    let id: ThingID
    let kind: ThingKind
    let owner: PersonID
    /// When it was begun, and from its first listing on, when that was.
    var postedAt: Date
    var state: ThingState
    var details: ThingDetails
    var terms: RentalTerms
    /// Where moderators have hidden it.
    var hidden: Hiding?
    /// Its owner is suspended: it is hidden while that lasts.
    var isWithheld = false

    /// Whether others find it, as far as it does not depend on who they are.
    var isLet: Bool { state == .listed && hidden == nil && !isWithheld }

    /// Whether the last day on which it is let is over, by its own clock.
    func isOver(at now: Date) -> Bool {
        guard let last = details.available?.last, let zone = Zone.named(terms.zone) else { return false }
        return last < zone.wallTime(at: now).day
    }
}

/// What its owner says of a thing.
struct ThingDetails: Hashable, Sendable {
    var title = ""
    var description: String?
    var brand: String?
    var model: String?
    /// Normalized.
    var plate: String?
    /// There is one in the table that nobody can read: it stays there until its owner gives it again, should the key come back.
    var isPlateUnreadable = false
    var size: Int?
    var region: String?
    var place: String?
    var address: String?
    var position: Position?
    var photos: [String] = []
    /// The days in which it is let; nil where always.
    var available: LetDays?
}

/// What becomes of a thing.
struct ThingDecision: Hashable, Sendable {
    var thing: RentableThing
    var told: ThingTold
}

enum ThingTold: Hashable, Sendable {
    case posted, changed, withdrawn, nothing
}

extension RentableThing {
    /// - Parameter having: how many things the person shares already.
    static func post(
        _ id: ThingID, _ draft: ThingDraft, by owner: PersonID, having: Int, at now: Date, within limits: RentalLimits
    ) throws(RentalError) -> ThingDecision {
        guard let kind = draft.kind else {
            throw .invalid([FieldError("kind", "required", "Say what it is: car, space or parking.")])
        }
        let isComplete = draft.isComplete ?? true
        let offer = try ThingOffer(draft, kind: kind, isComplete: isComplete, within: limits)
        guard having < limits.things else { throw .tooManyThings(limit: limits.things) }
        let thing = RentableThing(
            id: id, kind: kind, owner: owner, postedAt: now, state: isComplete ? .listed : .draft,
            details: offer.details, terms: offer.terms)
        return ThingDecision(thing: thing, told: isComplete ? .posted : .nothing)
    }

    /// What the draft leaves out is removed, but for the plate, which nobody types twice. What was agreed keeps the terms it was agreed on.
    func change(to draft: ThingDraft, by person: PersonID, within limits: RentalLimits) throws(RentalError)
        -> ThingDecision
    {
        guard person == owner else { throw .notYours }
        var draft = draft
        if kind == .car, draft.plate == nil { draft.plate = details.plate }
        let offer = try ThingOffer(
            draft, kind: kind, isComplete: state != .draft, insteadOf: details, within: limits)
        var thing = self
        thing.details = offer.details
        thing.details.isPlateUnreadable = details.isPlateUnreadable && offer.details.plate == nil
        thing.terms = offer.terms
        if thing == self { return ThingDecision(thing: self, told: .nothing) }
        guard ContentVersion.allows(draft.version, version) else { throw .changedMeanwhile(version) }
        return ThingDecision(thing: thing, told: thing.isLet ? .changed : .nothing)
    }

    /// What the draft leaves out stays, and may have become something else meanwhile. It is judged as a whole, as what its owner says again.
    func amend(with draft: ThingDraft, by person: PersonID, within limits: RentalLimits) throws(RentalError)
        -> ThingDecision
    {
        var whole = self.draft.amended(by: draft)
        whole.version = ThingVersion.allows(draft, version) ? nil : draft.version
        return try change(to: whole, by: person, within: limits)
    }

    /// - Parameter having: how many things the person shares already; what was withdrawn is none of them.
    func publish(
        by person: PersonID, having: Int, at now: Date, within limits: RentalLimits
    ) throws(RentalError) -> ThingDecision {
        guard person == owner else { throw .notYours }
        if state == .listed { return ThingDecision(thing: self, told: .nothing) }
        if state == .withdrawn, having >= limits.things { throw .tooManyThings(limit: limits.things) }
        _ = try ThingOffer(draft, kind: kind, isComplete: true, insteadOf: details, within: limits)
        var thing = self
        thing.state = .listed
        if state == .draft { thing.postedAt = now }
        return ThingDecision(thing: thing, told: thing.isLet ? .posted : .nothing)
    }

    func withdraw(by person: PersonID) throws(RentalError) -> ThingDecision {
        guard person == owner else { throw .notYours }
        var thing = self
        thing.state = .withdrawn
        return ThingDecision(thing: thing, told: isLet ? .withdrawn : .nothing)
    }

    /// A period in which its owner lets it to nobody: as far ahead as one can ask for it, and as long again, whatever one agreement may be at most.
    func block(
        _ draft: PeriodDraft, by person: PersonID, at now: Date, within limits: RentalLimits
    ) throws(RentalError) -> RentalPeriod {
        guard person == owner else { throw .notYours }
        guard let zone = Zone.named(terms.zone) else { throw .notListed }
        let period = try RentalPeriod(draft, unit: terms.unit, in: zone)
        let last = limits.lastDay(in: zone, at: now) + limits.farthestDays
        guard period.endsAt > now, let lastDay = period.lastDay, lastDay <= last else {
            throw .invalid([FieldError("until", "out_of_range", "Later than now, within two years.")])
        }
        return period
    }

    /// By moderators, or because its owner is suspended: others are told that it comes or goes.
    func becoming(_ change: (inout RentableThing) -> Void) -> ThingDecision {
        var thing = self
        change(&thing)
        return ThingDecision(
            thing: thing, told: thing.isLet == isLet ? .nothing : thing.isLet ? .posted : .withdrawn)
    }

    /// Names what it says.
    var version: String { ThingVersion.of(draft) }

    /// What it says, as its owner would say it again.
    private var draft: ThingDraft {
        ThingDraft(
            kind: kind, title: details.title, description: details.description, brand: details.brand,
            model: details.model, plate: details.plate, size: details.size, region: details.region,
            place: details.place, address: details.address, position: details.position, photos: details.photos,
            available: details.available.map(AvailableDays.init), price: terms.price, longest: terms.longest,
            cancellation: terms.cancellation, isInstant: terms.isInstant,
            zone: terms.zone)
    }
}

extension ThingDraft {
    /// The same, but for what the other one says. Zero takes a longest period away.
    fileprivate func amended(by other: ThingDraft) -> ThingDraft {
        let longest: Int? = other.longest == 0 ? nil : other.longest ?? self.longest
        return ThingDraft(
            kind: kind, title: other.title ?? title, description: other.description ?? description,
            brand: other.brand ?? brand, model: other.model ?? model, plate: other.plate ?? plate,
            size: other.size ?? size, region: other.region ?? region, place: other.place ?? place,
            address: other.address ?? address, position: other.position ?? position, photos: other.photos ?? photos,
            available: other.available ?? available, price: other.price ?? price, longest: longest,
            cancellation: other.cancellation ?? cancellation, isInstant: other.isInstant ?? isInstant,
            zone: other.zone ?? zone)
    }
}
