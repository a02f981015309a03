import TestKit
import Testing

extension LedgerTests {
    /// The ledger test proper: random processes die and freeze under load, the database among them.
    @Suite(LedgerTurn.havoc.inTurn) struct HavocTests {
        @Test func whatever_dies_and_freezes_nothing_is_lost_doubled_or_half_done() async throws {
            try await Village.with { village in
                var havoc = Havoc(
                    village.stack.members.map { .member($0, of: village.stack) } + [.server(village.server)],
                    seed: Wishes.seed)
                var done: [String] = []
                let settled = try await village.run.load { done = try await havoc.run(for: Wishes.duration) }
                print("ledger: \(done.count) faults: \(done.joined(separator: ", "))")
                #expect(done.count >= Int(Wishes.duration / .seconds(3)))
                try await village.expectNothingWrong(after: "\(Wishes.duration) of havoc", settled)
            }
        }
    }
}
