import Foundation
import KampongClient
import WireProtocol

/// The neighbours look for things that are not there yet, in each vertical, as `Sought` says; some seek a ride so that others see it. What they look for already
/// is left alone.
struct Looking: Sendable {
    var neighbours: [Resident]
    var center: Position

    /// How often it is looked whether a search has ended.
    static let pause: TimeInterval = 3600

    func goOn(now: Date) async throws {
        let waiting = try await deliverers()
        let all = Sought.around(center) + rides(after: now) + waiting
        for resident in neighbours {
            let theirs = try await resident.client.allWanted(WantedListQuery(limit: 100)).items
            // Nobody of them looks at what they are told: so it pauses by itself.
            for wanted in theirs where wanted.state == .paused {
                try await attempt {
                    _ = try await resident.client.changeWanted(wanted.id, WantedChange(isPaused: false))
                }
            }
            let forms = Set(theirs.filter { $0.state != .ended }.map(\.query.form))
            for sought in all
            where sought.seeker == resident.neighbour.username && !forms.contains(sought.query.form) {
                try await attempt {
                    let draft = WantedDraft(query: sought.query, isVisible: sought.isVisible ? true : nil)
                    _ = try await resident.client.postWanted(draft)
                    note("\(resident.name) looks for \(sought.query.form)")
                }
            }
        }
    }

    private func rides(after now: Date) -> [Sought] {
        guard let roads = Roads.near(center), let zone = TimeZone(identifier: roads.zone) else { return [] }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return roads.sought.compactMap { $0.sought(after: now, in: calendar) }
    }

    /// Where Places knows restaurants.
    private func deliverers() async throws -> [Sought] {
        guard let quarter = StudentQuarter.near(center), let somebody = neighbours.first else { return [] }
        let restaurants = try await somebody.client.places(
            around: quarter.middle, kind: .restaurant, radius: 500, limit: 12
        ).items
        return Sought.deliverers(in: quarter, from: restaurants.map(\.id))
    }

    /// A community may have other rules than this demo's.
    private func attempt(_ body: () async throws -> Void) async throws {
        do { try await body() } catch let problem as Problem where problem.status != 429 && problem.status < 500 {
            note("nothing is looked for: \(problem.said)")
        }
    }
}
