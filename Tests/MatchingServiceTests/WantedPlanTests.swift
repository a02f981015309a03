import DurableMessaging
import FoundationEssentials
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// How PostgreSQL reads what grows: where it expects little, it would choose another way.
@Suite struct WantedPlanTests {
    private func plan(of statement: SQLQuery, in searches: Searches) async throws -> String {
        try await searches.database.transaction { transaction in
            try await transaction.query("SET LOCAL enable_seqscan = off")
            return try await transaction.query("EXPLAIN " + statement)
        }.map { try $0.get("QUERY PLAN", as: String.self) }.joined(separator: "\n")
    }

    @Test func what_was_there_is_not_compared_with_all_that_was_found() async throws {
        try await Searches.with { searches in
            let finds: SQLQuery = "SELECT kind, subject, found_at FROM all_finds WHERE wanted = \(WantedID.new())"
            let plan = try await plan(of: finds, in: searches)
            #expect(plan.contains("SubPlan") && !plan.contains("Anti Join"), "\(plan)")
        }
    }

    @Test func who_is_told_of_something_is_found_by_their_own_searches() async throws {
        try await Searches.with { searches in
            let due = try await searches.store.transaction { $0.dueHits(atMost: 200) }
            let plan = try await plan(of: due, in: searches)
            #expect(plan.contains("wanted_of_person") && plan.contains("SubPlan"), "\(plan)")
            for join in ["Nested Loop  (", "Hash Join", "Merge Join"] { #expect(!plan.contains(join), "\(plan)") }
        }
    }

    @Test func whether_one_deliverer_is_found_is_read_from_their_row() async throws {
        try await Searches.with { searches in
            let around = DelivererSearch(near: position(0), radius: 500)
            let wanted = try WantedDeliverer(WantedQuery(deliverers: around), at: noon)
            let plan = try await plan(of: wanted.finding(.new(), for: tom, at: noon, .off), in: searches)
            #expect(plan.contains("SubPlan") && !plan.contains("hashed SubPlan"), "all who are suspended: \(plan)")
        }
    }
}
