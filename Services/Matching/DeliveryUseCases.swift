import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import WireProtocol

/// What can be asked of deliveries: load, decide, save with its event.
struct DeliveryUseCases: Sendable {
    let store: DeliveryStore
    let people: PeopleProjection
    let limits: DeliveryLimits
    /// Ask Places what ids name, for restaurants around a point, and for ways on foot.
    let askForPlaces: AskForPlaces
    let askForRestaurants: AskForRestaurants
    let askForWays: AskForWays
    /// Asks auth for somebody's telephone number.
    let askForPhone: @Sendable (PersonID) async throws -> String?
    let clock: @Sendable () -> Date
}

// MARK: What somebody offers to bring along

extension DeliveryUseCases {
    /// Begins, or changes what there is already.
    func offerDelivery(_ draft: AvailabilityDraft, _ request: RequestContext) async throws -> Availability {
        let places = try await places(of: draft)
        return try await store.command(request) { deliveries, person in
            try await deliveries.holdCampus(of: person)
            guard let before = try await deliveries.running(of: person) else {
                var decision = try OfferedAvailability.begin(
                    draft, id: .new(at: deliveries.now), by: person, among: places, at: deliveries.now, within: limits)
                try await deliveries.learnTrip(of: &decision.availability)
                try await deliveries.add(decision)
                return Availability(decision.availability, HeldDeliveries(matches: []), at: deliveries.now)
            }
            let matches = try await deliveries.held(by: before.id)
            var decision = try before.change(
                draft, having: matches, among: places, at: deliveries.now, within: limits)
            try await deliveries.learnTrip(of: &decision.availability)
            return try await deliveries.answer(deliveries.keep(decision, insteadOf: before, by: person))
        }
    }

    /// They are still there.
    func resumeDelivery(_ request: RequestContext) async throws -> Availability {
        try await store.command(request) { deliveries, person in
            guard let before = try await deliveries.running(of: person) else { throw DeliveryError.notOffering([]) }
            let decision = try before.resume(at: deliveries.now)
            return try await deliveries.answer(deliveries.keep(decision, insteadOf: before, by: person))
        }
    }

    func endDelivery(_ request: RequestContext) async throws {
        _ = try await store.command(request) { deliveries, person in
            guard let before = try await deliveries.running(of: person) else { throw DeliveryError.notOffering([]) }
            try await deliveries.keep(try before.end(at: deliveries.now), insteadOf: before, by: person)
            return Nothing()
        }
    }
}

extension DeliveryTransaction {
    /// Where somebody belongs stays as it is until this is done: what moves it locks that first, and what is theirs after it.
    fileprivate func holdCampus(of person: PersonID) async throws {
        try await transaction.query("SELECT id FROM people WHERE id = \(person) FOR SHARE")
    }

    /// What somebody offers now, locked: what has ended by its time is ended before.
    fileprivate func running(of person: PersonID) async throws -> OfferedAvailability? {
        guard let stored = try await lockedAvailability(of: person) else { return nil }
        guard let passed = stored.pass(at: now) else { return stored }
        let after = try await keep(passed, insteadOf: stored)
        return after.state == .ended ? nil : after
    }

    /// The way there, where it is known already.
    fileprivate func learnTrip(of availability: inout OfferedAvailability) async throws {
        if availability.trip != nil { return }
        let (restaurant, dropOff) = (availability.restaurant.shown, availability.dropOff)
        availability.trip = try await ways(among: [restaurant, dropOff]).way(from: restaurant, to: dropOff)
    }

    fileprivate func answer(_ availability: OfferedAvailability) async throws -> Availability {
        Availability(availability, try await deliveries(of: availability), at: now)
    }
}
