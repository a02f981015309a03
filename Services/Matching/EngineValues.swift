import FoundationEssentials
import MatchEngine
import WireProtocol

// What is stored, as the engine knows it. No I/O and no clock.

extension WaitingOrder {
    /// One that waits for anybody: who is asked for by name is asked at once, or not.
    init(_ order: PlacedOrder, of campus: String?) {
        let restaurants: Restaurants =
            order.around.map { .around($0.position, metres: Double($0.radius)) }
            ?? .anyOf(order.from.map(\.restaurant.id))
        self.init(
            id: ID(order.id.uuid), person: order.orderer, restaurants: restaurants, building: order.dropOff.stop,
            fee: order.terms.fee?.amount ?? 0, campus: campus, placedAt: order.placedAt, waitsUntil: order.waitsUntil)
    }
}

extension FreeDeliverer {
    init(_ availability: OfferedAvailability, carrying carried: [DeliveryPlace], of campus: String?, _ ways: KnownWays)
    {
        let restaurant = availability.restaurant.shown
        self.init(
            id: ID(availability.id.uuid), person: availability.deliverer, restaurant: restaurant.stop,
            building: availability.dropOff.stop,
            trip: availability.trip?.onFoot ?? ways.metres(from: restaurant, to: availability.dropOff),
            detour: Double(availability.detour), leastFee: availability.leastFee?.amount ?? 0, campus: campus,
            until: availability.until, capacity: availability.capacity, taken: availability.taken,
            carries: carried.map(\.stop.id))
    }
}

extension Decline {
    /// Nobody is asked twice for one order. Where an offer was withdrawn, nobody has refused it, and the same person may be asked again.
    init?(_ match: MatchAgreement) {
        guard match.state != .withdrawn else { return nil }
        self.init(order: ID(match.order.uuid), person: match.deliverer)
    }
}

extension KnownWays {
    /// Seconds from the restaurant to where an order goes.
    fileprivate func walk(_ metres: Double) -> Int { Int((metres / KnownWay.pace).rounded()) }

    func walk(with order: PlacedOrder, _ availability: OfferedAvailability) -> Int {
        walk(metres(from: availability.restaurant.shown, to: order.dropOff))
    }

    /// How long a detour takes; nil where not all of the way is known along streets.
    func seconds(of detour: Int, for order: PlacedOrder, _ availability: OfferedAvailability) -> Int? {
        let restaurant = availability.restaurant.shown
        let trip = availability.trip ?? way(from: restaurant, to: availability.dropOff)
        let legs = [
            trip, way(from: restaurant, to: order.dropOff), way(from: order.dropOff, to: availability.dropOff),
        ]
        return legs.allSatisfy { $0?.isAlongStreets ?? false } ? walk(Double(detour)) : nil
    }
}

/// Whose turn comes sooner or later.
enum DeliveryTurns {
    /// What a round has made of credits, where some of them are others by now.
    /// - Parameters:
    ///   - before: as the round has read them.
    ///   - stored: as they are now.
    static func moved(
        _ changed: [PersonID: Credit], since before: [PersonID: Credit], to stored: [PersonID: Credit], at now: Date,
        settings: MatchSettings = MatchSettings()
    ) -> [PersonID: Credit] {
        func value(_ credit: Credit?) -> Double { credit?.value(at: now, halfLife: settings.creditHalfLife) ?? 0 }
        return Dictionary(
            uniqueKeysWithValues: changed.map { person, credit in
                if stored[person] == before[person] { return (person, credit) }
                let meanwhile = value(stored[person]) - value(before[person])
                return (person, Credit(value: value(credit) + meanwhile, asOf: now))
            })
    }

    /// Credits without what came of offers that were decided and not made.
    static func taken(
        _ offers: [ProposedOffer], from credits: [PersonID: Credit], at now: Date
    ) -> [PersonID: Credit] {
        offers.reduce(credits) { credits, offer in
            let before = givenBack(offer.fit.chances, by: offer.availability.deliverer, credits, at: now)
            return credits.merging(before) { _, later in later }
        }
    }

    /// An offer was made to one of several, and the orderer has ended it: all are as before.
    /// - Parameters:
    ///   - chances: who could have been asked.
    ///   - credits: theirs, as far as they have any.
    /// - Returns: what is to be kept.
    static func givenBack(
        _ chances: [PersonID], by asked: PersonID, _ credits: [PersonID: Credit], at now: Date,
        settings: MatchSettings = MatchSettings()
    ) -> [PersonID: Credit] {
        guard chances.count > 1 else { return [:] }
        let share = 1 / Double(chances.count)
        return Dictionary(
            uniqueKeysWithValues: Set(chances).union([asked]).map { person in
                let before = credits[person]?.value(at: now, halfLife: settings.creditHalfLife) ?? 0
                let after = before - (chances.contains(person) ? share : 0) + (person == asked ? 1 : 0)
                return (person, Credit(value: after, asOf: now))
            })
    }
}
