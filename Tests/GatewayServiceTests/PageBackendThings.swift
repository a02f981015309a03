import Synchronization
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Things for rent in memory, as one may look at them.
extension PageCall {
    func things(_ method: String, _ state: PageBackend.State) throws -> Outcome {
        switch method {
        case "listings.carModels":
            let brands = [
                CarBrand(name: "Honda", models: ["Jazz"]), CarBrand(name: "Toyota", models: ["Corolla", "Yaris"]),
            ]
            return (try WireJSON.encode(CarModels(brands: brands)), [])
        case "listings.calendar":
            let query = try WireJSON.decode(CalendarQuery.self, from: parameters)
            let (first, last) = (query.from ?? "", query.until ?? "9999-12-31")
            let taken = (state.taken[query.id] ?? []).filter {
                String($0.until.prefix(10)) >= first && String($0.from.prefix(10)) <= last
            }
            return (try WireJSON.encode(ThingCalendar(zone: "Europe/Helsinki", taken: taken, last: state.lastDay)), [])
        case "listings.thing":
            let reference = try WireJSON.decode(ThingReference.self, from: parameters)
            guard
                let thing = state.things.first(where: {
                    $0.id == reference.id && (reference.kind ?? $0.kind) == $0.kind
                        && ($0.state != .draft || $0.owner.id == caller.person)
                })
            else { throw ServiceError.notFound("thing") }
            return (try WireJSON.encode(seen(thing)), [])
        default:
            return (try WireJSON.encode(try list(state)), [])
        }
    }

    /// Of what listings finds by: kind, words, brand, model, region, price, whose; newest first, or the cheapest.
    private func list(_ state: PageBackend.State) throws -> Page<Thing> {
        let query = try WireJSON.decode(ThingQuery.self, from: parameters)
        if let from = query.from, let until = query.until, until < from {
            throw ServiceError.invalid([FieldError("until", "before_from", "It ends before it begins.")])
        }
        let words = (query.q ?? "").lowercased()
        var found = state.things.filter { thing in
            if query.mine == true {
                return thing.owner.id == caller.person && (query.state ?? thing.state) == thing.state
            }
            guard (query.kind ?? thing.kind) == thing.kind, thing.state == .listed, thing.hidden == nil else {
                return false
            }
            if let price = query.highestPrice, (thing.terms.price?.amount ?? 0) > price { return false }
            return (words.isEmpty || "\(thing.title) \(thing.description ?? "")".lowercased().contains(words))
                && (query.brand ?? thing.brand) == thing.brand && (query.model ?? thing.model) == thing.model
                && (query.region ?? thing.region) == thing.region && (query.by ?? thing.owner.id) == thing.owner.id
        }
        found.sort { $0.postedAt > $1.postedAt }
        if query.sort == .price { found.sort { ($0.terms.price?.amount ?? 0) < ($1.terms.price?.amount ?? 0) } }
        let start = query.cursor.flatMap { Int($0) } ?? 0
        let limit = query.limit ?? 20
        let shown = found.dropFirst(start).prefix(limit).map { thing in
            var thing = seen(thing)
            thing.distance = query.near.flatMap { near in thing.position.map { Int(near.metres(to: $0)) } }
            return thing
        }
        return Page(items: shown, next: start + limit < found.count ? String(start + limit) : nil)
    }

    private func seen(_ thing: Thing) -> Thing {
        var thing = thing
        thing.mine = thing.owner.id == caller.person
        if thing.mine { thing.action = .own } else { (thing.plate, thing.version) = (nil, nil) }
        return thing
    }
}

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
        backend.state.withLock { $0.things.append(thing) }
        return thing
    }

    func person(_ name: String) throws -> Person {
        guard let person = people().first(where: { $0.name == name }) else { throw ServiceError.notFound("person") }
        return person
    }
}
