import FoundationEssentials
import TestKit
import Testing
import WireProtocol

@testable import RidesService

/// Who can't leave the community yet.
@Suite struct RidesInHandTests {
    private func kept(_ rides: Rides) async throws -> [[Subject]] {
        var kept: [[Subject]] = []
        for person in [maya, tom, lin] {
            kept.append(try await rides.rides.commitments(of: person).items.map(\.subject))
        }
        return kept
    }

    @Test func all_stay_who_are_on_the_way_together() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            let seat = try await rides.seated(in: ride).id
            _ = try await rides.ask(ride, by: lin)
            #expect(try await kept(rides) == [[], [], []])
            rides.advance(hours: 48)
            try await rides.pass()
            #expect(try await kept(rides) == [[Subject(ride)], [Subject(seat)], []])
            #expect(
                try await rides.rides.commitments(of: tom).items.map(\.title) == ["San Luis Obispo → San Francisco"])
            _ = try await rides.rides.arrive(ride, .from(maya))
            #expect(try await kept(rides) == [[], [], []])
            try await rides.act(seat, .dispute, by: tom, reason: "It was not me.")
            #expect(try await kept(rides) == [[Subject(seat)], [Subject(seat)], []])
        }
    }

    @Test func who_drives_alone_may_go() async throws {
        try await Rides.with { rides in
            _ = try await rides.posted()
            rides.advance(hours: 48)
            try await rides.pass()
            #expect(try await kept(rides) == [[], [], []])
        }
    }

    @Test func of_one_who_is_gone_the_other_is_free() async throws {
        try await Rides.with { rides in
            let ride = try await rides.posted().id
            _ = try await rides.seated(in: ride)
            rides.advance(hours: 48)
            try await rides.pass()
            _ = try await rides.store.transaction { try await $0.erase(maya).photos }
            #expect(try await kept(rides) == [[], [], []])
        }
    }
}
