import Foundation
import WireProtocol

/// What a neighbour looks for that is not there yet.
struct Sought: Hashable, Sendable {
    /// The username of who looks.
    var seeker: String
    var query: WantedQuery
    /// Whether others see who seeks it.
    var isVisible = false
}

/// A ride that a neighbour seeks.
struct SoughtRide: Hashable, Sendable {
    /// A username.
    var seeker: String
    var from: Journey.Town
    var to: Journey.Town
    /// 1 is Monday.
    var weekday: Int
    var hour: Int
    var isVisible = true

    /// When they want to leave: in the week after this one, for which nobody has asked for a seat yet.
    func window(after now: Date, in calendar: Calendar) -> (after: Date, before: Date)? {
        let days = (7...13).compactMap { calendar.date(byAdding: .day, value: $0, to: now) }
        // The calendar counts from Sunday.
        let day = days.first { (calendar.component(.weekday, from: $0) + 5) % 7 + 1 == weekday }
        return day.flatMap { calendar.date(bySettingHour: hour, minute: 0, second: 0, of: $0) }.map {
            (after: $0 - 2 * 3600, before: $0 + 3 * 3600)
        }
    }

    func sought(after now: Date, in calendar: Calendar) -> Sought? {
        window(after: now, in: calendar).map { window in
            let ride = RideSearchQuery(
                from: from.position, to: to.position, after: window.after, before: window.before)
            return Sought(seeker: seeker, query: WantedQuery(rides: ride), isVisible: isVisible)
        }
    }
}

extension Sought {
    /// What there is none of, and spots, of which there are always new ones.
    static func around(_ center: Position) -> [Sought] {
        [
            Sought(seeker: "otso", query: WantedQuery(spots: SpotQuery(near: center, radius: 300))),
            Sought(seeker: "linh", query: WantedQuery(things: ThingQuery(kind: .car, q: "minibus"))),
            Sought(seeker: "mikko", query: WantedQuery(things: ThingQuery(kind: .car, q: "trailer"))),
            Sought(seeker: "ravi", query: WantedQuery(things: ThingQuery(kind: .space, q: "canoe"))),
            Sought(seeker: "amara", query: WantedQuery(things: ThingQuery(kind: .parking, q: "wallbox"))),
        ]
    }

    /// Who waits for somebody at a restaurant, and who at any of them.
    static func deliverers(in quarter: StudentQuarter, from restaurants: [PlaceID]) -> [Sought] {
        guard let first = restaurants.first else { return [] }
        let around = DelivererSearch(near: quarter.middle, radius: 500)
        return [
            Sought(seeker: "helmi", query: WantedQuery(deliverers: DelivererSearch(restaurant: first))),
            Sought(seeker: "aino", query: WantedQuery(deliverers: around)),
        ]
    }
}

extension WantedQuery {
    /// Of each of these a neighbour looks for one.
    var form: String {
        if let things { return "things of the kind \(things.kind?.rawValue ?? "any")" }
        return spots != nil ? "spots" : rides != nil ? "rides" : "deliverers"
    }
}
