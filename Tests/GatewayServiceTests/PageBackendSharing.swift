import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Sharing things in memory: what is asked for is kept, with a few of the refusals of listings.
extension PageCall {
    func sharing(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        let me = try caller.requirePerson()
        if method == "listings.unblockDates" {
            let block = try WireJSON.decode(DateBlockReference.self, from: parameters).id
            for thing in state.taken.keys { state.taken[thing]?.removeAll { $0.block == block } }
            return ([], [])
        }
        if method == "listings.postThing" {
            let kind = try WireJSON.decode(ThingKindParameters.self, from: parameters).kind
            let draft = try WireJSON.decode(ThingDraft.self, from: body)
            guard let owner = state.people[me]?.summary, let kind else { throw ServiceError.notFound("person") }
            var thing = Thing(
                id: .new(), kind: kind, state: draft.isComplete == false ? .draft : .listed, title: "",
                terms: RentalTerms(unit: kind.unit, cancellation: .flexible, zone: "Europe/Helsinki"), owner: owner,
                postedAt: Date(), mine: true, action: .own)
            thing.take(draft)
            try thing.check()
            thing.version = thing.parts.joined(separator: ".")
            state.things.append(thing)
            return (try WireJSON.encode(thing), [])
        }
        let id = try WireJSON.decode(ThingReference.self, from: parameters).id
        guard let index = state.things.firstIndex(where: { $0.id == id && $0.owner.id == me }) else {
            throw ServiceError.notFound("thing")
        }
        var thing = state.things[index]
        switch method {
        case "listings.changeThing", "listings.amendThing":
            let isWhole = method == "listings.changeThing"
            let now = thing.parts
            if isWhole { (thing.terms.longest, thing.position) = (nil, nil) }
            let draft = try WireJSON.decode(ThingDraft.self, from: body)
            thing.take(draft)
            if let seen = draft.version, thing.parts != now, !draft.allows(seen, now, isWhole: isWhole) {
                throw ServiceError.changedMeanwhile(now.joined(separator: "."))
            }
            thing.version = thing.parts.joined(separator: ".")
        case "listings.publishThing": thing.state = .listed
        case "listings.withdrawThing":
            if thing.state == .draft {
                state.things.remove(at: index)
            } else {
                state.things[index].state = .withdrawn
            }
            return ([], [])
        case "listings.blockDates":
            let period = try WireJSON.decode(PeriodDraft.self, from: body)
            guard period.from <= period.until else {
                throw ServiceError.invalid([FieldError("until", "before_from", "It ends before it begins.")])
            }
            let block = DateBlock(id: .new(), from: period.from, until: period.until)
            state.taken[id, default: []].append(
                TakenPeriod(from: block.from, until: block.until, block: block.id))
            return (try WireJSON.encode(block), [])
        default: throw ServiceError.notFound("method")
        }
        try thing.check()
        thing.mine = true
        state.things[index] = thing
        return (try WireJSON.encode(thing), [])
    }
}

extension Thing {
    /// What a draft says of it; what it leaves out stays.
    fileprivate mutating func take(_ draft: ThingDraft) {
        func said(_ text: String?, _ old: String?) -> String? { text.map { $0.isEmpty ? nil : $0 } ?? old }
        title = draft.title ?? title
        (description, region) = (said(draft.description, description), said(draft.region, region))
        (brand, model) = (said(draft.brand, brand), said(draft.model, model))
        (plate, size) = (said(draft.plate, plate), draft.size ?? size)
        (place, address) = (said(draft.place, place), said(draft.address, address))
        (position, photos) = (draft.position ?? position, draft.photos ?? photos)
        if let days = draft.available { available = days.from == nil && days.until == nil ? nil : days }
        if let price = draft.price { terms.price = price.amount == 0 ? nil : price }
        terms.longest = draft.longest == 0 ? nil : draft.longest ?? terms.longest
        terms.cancellation = draft.cancellation ?? terms.cancellation
        (terms.isInstant, terms.zone) = (draft.isInstant ?? terms.isInstant, draft.zone ?? terms.zone)
    }

    /// What its version is made of: what it is, where, on which terms, pictures.
    fileprivate var parts: [String] {
        let what: [String?] = [title, description, brand, model, plate, size.map { "\($0)" }]
        let whereabouts: [String?] = [region, place, address, position.map { "\($0)" }]
        let lets: [String?] = ["\(terms)", available.map { "\($0)" }]
        return [what.hashValue, whereabouts.hashValue, lets.hashValue, photos.hashValue].map { "\($0)" }
    }

    /// As listings judges plates and periods, in short.
    fileprivate func check() throws {
        if let plate, !plate.hasSuffix("G") {
            throw ServiceError.invalid([FieldError("plate", "not_a_plate", "The last letter does not belong to it.")])
        }
        if let longest = terms.longest, longest > 90 {
            throw ServiceError.invalid([FieldError("longest", "out_of_range", "Between 1 and 90.")])
        }
        if Zone.named(terms.zone) == nil {
            throw ServiceError.invalid([FieldError("zone", "unknown", "This is no time zone.")])
        }
        if state == .listed, title.isEmpty {
            throw ServiceError.invalid([FieldError("title", "required", "Give it a title.")])
        }
    }
}

extension ThingDraft {
    /// Whether what it says something of is still as it was seen; all of it where it says all there is.
    fileprivate func allows(_ seen: String, _ now: [String], isWhole: Bool) -> Bool {
        let before = seen.split(separator: ".").map { String($0) }
        let says = [title != nil, place != nil, cancellation != nil, photos != nil]
        guard before.count == now.count else { return false }
        return now.indices.allSatisfy { (!says[$0] && !isWhole) || before[$0] == now[$0] }
    }
}
