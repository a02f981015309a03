import FoundationEssentials
import Messaging
import TestKit
import Testing
import WireProtocol

@testable import RidesService

// What the tests of series are made of: Maya drives from San Luis Obispo to San Francisco each Monday and Wednesday at eight, from the Wednesday
// after noon on.

extension Example {
    static func series(_ change: (inout RideSeriesDraft) -> Void = { _ in }) -> RideSeriesDraft {
        var draft = RideSeriesDraft(
            ride: Example.draft { $0.departsAt = "2026-09-23T08:00" }, weekdays: [.monday, .wednesday],
            until: "2026-12-09")
        change(&draft)
        return draft
    }

    /// Its days that are near enough at noon.
    static let firstDays = [
        "2026-09-23", "2026-09-28", "2026-09-30", "2026-10-05", "2026-10-07", "2026-10-12", "2026-10-14", "2026-10-19",
    ]
}

extension Rides {
    var seriesRounds: SeriesRounds { SeriesRounds(store: store, limits: rides.limits, logger: .quiet) }

    func postedSeries(
        by person: PersonID = maya, _ change: (inout RideSeriesDraft) -> Void = { _ in }
    ) async throws -> RideSeries {
        try await rides.postSeries(Example.series(change), .from(person))
    }

    @discardableResult
    func change(
        _ series: RideSeriesID, by person: PersonID = maya, _ change: (inout RideSeriesDraft) -> Void
    ) async throws -> RideSeries {
        var draft = RideSeriesDraft()
        change(&draft)
        return try await rides.changeSeries(series, to: draft, .from(person))
    }

    func seen(_ series: RideSeriesID, by person: PersonID = maya) async throws -> RideSeries {
        try await rides.series(series, for: Caller(person: person))
    }

    func makeSeries() async throws { while try await seriesRounds.round() {} }
}

extension RideSeries {
    /// The days on which there are ways there.
    var days: [String] { rides.filter { !$0.isReturn }.map(\.day) }

    var missing: [String] { gaps.map { "\($0.day) \($0.why.rawValue)" } }

    func ride(on day: String, isReturn: Bool = false) throws -> RideID {
        try #require(rides.first { $0.day == day && $0.isReturn == isReturn }?.id)
    }

    /// When its rides leave, on the wall of its zone.
    func times() throws -> [String] {
        let clocks = try #require(Zone.named(ride.zone ?? ""))
        return rides.map { clocks.wallTime(at: $0.departsAt).text }
    }
}
