import FoundationEssentials
import WireProtocol

// What is let, as listings shows it to whoever asks. What is shared, changed and taken off the list is so from then on; refusals are what a
// test says.
extension PageDoor {
    /// A thing that is let, as its owner would have shared it.
    @discardableResult
    func letThing(
        _ kind: ThingKind, _ title: String, by owner: Person, _ change: (inout Thing) -> Void = { _ in }
    ) -> Thing {
        var thing = Thing(
            id: .new(), kind: kind, state: .listed, title: title,
            terms: RentalTerms(
                price: Money(amount: 2500, currency: "EUR"), unit: kind.unit, cancellation: .moderate,
                zone: "Europe/Helsinki"),
            owner: owner.summary, postedAt: Date(), mine: false, action: .rent)
        change(&thing)
        things.mutate { [thing] in $0.append(thing) }
        return thing
    }

    func showThings() {
        let brands = [
            CarBrand(name: "Honda", models: ["Jazz"]), CarBrand(name: "Toyota", models: ["Corolla", "Yaris"]),
        ]
        services.answer(ListingsMethods.carModels, CarModels(brands: brands))
        services.on(ListingsMethods.things) { page(of: $0.parameters, for: $0.caller) }
        services.on(ListingsMethods.thing) { request in
            let (asked, caller) = (request.parameters, request.caller)
            let found = things.value.first { thing in
                thing.id == asked.id && (asked.kind ?? thing.kind) == thing.kind
                    && (thing.state != .draft || thing.owner.id == caller.person)
            }
            guard let found else { throw ServiceError.notFound("thing") }
            return Self.seen(found, by: caller)
        }
        services.on(ListingsMethods.calendar) { request in
            let query = request.parameters
            let (first, last) = (query.from ?? "", query.until ?? "9999-12-31")
            let shown = (taken.value[query.id] ?? []).filter {
                String($0.until.prefix(10)) >= first && String($0.from.prefix(10)) <= last
            }
            return ThingCalendar(zone: "Europe/Helsinki", taken: shown, last: lastDay.value)
        }
        takeThings()
        takeDates()
    }

    /// What somebody shares, by the lists of its kind.
    func showShelf() {
        services.on(PeerRole.listings.methods.shelf) { request in
            let (query, caller) = (request.parameters, request.caller)
            if query.kind == .spot {
                let asked = SpotQuery(by: query.person, limit: query.limit, cursor: query.cursor)
                let found = try page(of: asked, for: caller)
                return Page(items: found.items.map { ShelfItem($0) }, next: found.next)
            }
            let asked = ThingQuery(by: query.person, limit: query.limit, cursor: query.cursor)
            let found = page(of: asked, for: caller)
            return Page(items: found.items.map { ShelfItem($0) }, next: found.next)
        }
    }

    /// A page of those that the caller asks for.
    private func page(of query: ThingQuery, for caller: Caller) -> Page<Thing> {
        let found = things.value.filter { Self.finds($0, query, caller) }.sorted { $0.postedAt > $1.postedAt }
        let shown = found.map { thing in
            var thing = Self.seen(thing, by: caller)
            thing.distance = query.near.flatMap { near in thing.position.map { Int(near.metres(to: $0)) } }
            return thing
        }
        return Page(shown, from: query.cursor, size: query.limit ?? 20)
    }

    private func takeThings() {
        services.on(ListingsMethods.postThing) { request in
            guard let kind = request.parameters.kind else { throw ServiceError.notFound("kind") }
            let draft = request.content
            var thing = Thing(
                id: .new(), kind: kind, state: draft.isComplete == false ? .draft : .listed, title: "",
                terms: RentalTerms(unit: kind.unit, cancellation: .flexible, zone: "Europe/Helsinki"),
                owner: try summary(of: request.caller), postedAt: Date(), mine: true, action: .own)
            thing.take(draft)
            thing.version = thing.parts.joined(separator: ".")
            things.mutate { [thing] in $0.append(thing) }
            return thing
        }
        services.on(ListingsMethods.changeThing) { request in
            try change(request.parameters.id, request.caller) { try $0.change(by: request.content, isWhole: true) }
        }
        services.on(ListingsMethods.amendThing) { request in
            try change(request.parameters.id, request.caller) { try $0.change(by: request.content, isWhole: false) }
        }
        services.on(ListingsMethods.publishThing) { request in
            try change(request.parameters.id, request.caller) { $0.state = .listed }
        }
        services.on(ListingsMethods.withdrawThing) { request in
            let left = try change(request.parameters.id, request.caller) { thing in
                if thing.state != .draft { thing.state = .withdrawn }
            }
            if left.state == .draft { things.mutate { $0.removeAll { $0.id == left.id } } }
            return Nothing()
        }
    }

    private func takeDates() {
        services.on(ListingsMethods.blockDates) { request in
            let (id, period) = (request.parameters.id, request.content)
            let block = DateBlock(id: .new(), from: period.from, until: period.until)
            let days = TakenPeriod(from: block.from, until: block.until, block: block.id)
            taken.mutate { $0[id, default: []].append(days) }
            return block
        }
        services.on(ListingsMethods.unblockDates) { request in
            taken.mutate { all in
                all = all.mapValues { periods in periods.filter { $0.block != request.parameters.id } }
            }
            return Nothing()
        }
    }

    /// Changes what is the caller's own.
    private func change(_ id: ThingID, _ caller: Caller, _ change: (inout Thing) throws -> Void) throws -> Thing {
        guard var thing = things.value.first(where: { $0.id == id && $0.owner.id == caller.person }) else {
            throw ServiceError.notFound("thing")
        }
        try change(&thing)
        things.mutate { [thing] in $0 = $0.map { $0.id == id ? thing : $0 } }
        return Self.seen(thing, by: caller)
    }

    private static func finds(_ thing: Thing, _ query: ThingQuery, _ caller: Caller) -> Bool {
        if query.mine == true {
            return thing.owner.id == caller.person && (query.state ?? thing.state) == thing.state
        }
        guard (query.kind ?? thing.kind) == thing.kind, thing.state == .listed, thing.hidden == nil else {
            return false
        }
        let text = "\(thing.title) \(thing.description ?? "")".lowercased()
        if let words = query.q, !text.contains(words.lowercased()) { return false }
        return (query.brand ?? thing.brand) == thing.brand && (query.model ?? thing.model) == thing.model
            && (query.by ?? thing.owner.id) == thing.owner.id
    }

    private static func seen(_ thing: Thing, by caller: Caller) -> Thing {
        var thing = thing
        thing.mine = thing.owner.id == caller.person
        if thing.mine { thing.action = .own } else { (thing.plate, thing.version) = (nil, nil) }
        return thing
    }
}

extension Thing {
    /// What a draft says of it; what it leaves out stays.
    mutating func take(_ draft: ThingDraft) {
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

    /// What a change says of it, where what that is about is still as it was seen.
    fileprivate mutating func change(by draft: ThingDraft, isWhole: Bool) throws {
        let now = parts
        if isWhole { (terms.longest, position) = (nil, nil) }
        take(draft)
        if let seen = draft.version, parts != now, !draft.allows(seen, now, isWhole: isWhole) {
            throw ServiceError.changedMeanwhile(now.joined(separator: "."))
        }
        version = parts.joined(separator: ".")
    }

    /// What its version is made of: what it is, where, on which terms, pictures.
    fileprivate var parts: [String] {
        let what: [String?] = [title, description, brand, model, plate, size.map { "\($0)" }]
        let whereabouts: [String?] = [region, place, address, position.map { "\($0)" }]
        let lets: [String?] = ["\(terms)", available.map { "\($0)" }]
        return [what.hashValue, whereabouts.hashValue, lets.hashValue, photos.hashValue].map { "\($0)" }
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
