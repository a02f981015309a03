import Foundation
import KampongClient
import WireProtocol

/// The neighbours offer rides for a term, and seats in the first of them are asked for, as `Roads` says. What there is already is left alone.
struct Driving: Sendable {
    var neighbours: [Resident]
    var currency: String
    var center: Position

    func begin(now: Date) async throws {
        guard let roads = Roads.near(center), let zone = TimeZone(identifier: roads.zone) else { return }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        for journey in roads.journeys {
            guard let driver = neighbour(journey.driver) else { continue }
            for (number, day) in journey.days(from: now, in: calendar).enumerated() {
                do {
                    let draft = journey.draft(on: day, in: calendar, currency: currency)
                    let ride = try await driver.client.postRide(draft)
                    guard number == 0 else { continue }
                    note("\(driver.name) drives from \(ride.stops[0].name)")
                    for wish in journey.wishes { try await fulfil(wish, of: ride, by: driver) }
                } catch let problem as Problem where problem.status != 429 && problem.status < 500 {
                    // It is there already, or the community has other rules than this demo's.
                    if problem.code != .duplicate { note("no ride: \(problem.said)") }
                }
                try await Task.sleep(for: .milliseconds(50))
            }
        }
    }

    private func fulfil(_ wish: Journey.Wish, of ride: Ride, by driver: Resident) async throws {
        guard let rider = neighbour(wish.rider) else { return }
        let request = try await rider.client.requestSeat(
            in: ride.id,
            SeatDraft(
                seats: wish.seats, from: SeatPointDraft(stop: wish.from),
                to: SeatPointDraft(stop: wish.to ?? ride.stops.count - 1), message: wish.message, waitlist: true))
        if wish.isAccepted, request.state == .pending { _ = try await driver.client.act(.accept, on: request.id) }
        note("\(rider.name) asked \(driver.name) for a seat")
    }

    private func neighbour(_ username: String) -> Resident? {
        neighbours.first { $0.neighbour.username == username }
    }
}
