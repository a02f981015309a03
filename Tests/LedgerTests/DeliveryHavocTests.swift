import TestKit
import Testing
import WireProtocol

extension LedgerTests {
    /// Hardly anything but orders and who brings them, with two replicas of matching, while these, what they ask and the database die and freeze.
    @Suite(LedgerTurn.deliveries.inTurn) struct DeliveryHavocTests {
        @Test func no_order_is_with_two_people_and_no_hand_holds_too_much() async throws {
            var options = LedgerRun.Options(seed: Wishes.seed)
            (options.people, options.impatient, options.pause) = (20, 6, 20...80)
            try await Village.with({ $0.replicas = [.matching: 2] }, options: options, weights: Self.weights) {
                village in
                let hurt: Set<PeerRole> = [.matching, .places, .auth]
                var havoc = Havoc(
                    village.stack.members.filter { hurt.contains($0.role) }.map { .member($0, of: village.stack) }
                        + [.server(village.server)], seed: Wishes.seed)
                var done: [String] = []
                let settled = try await village.run.load { done = try await havoc.run(for: Wishes.deliveries) }
                print("ledger: \(done.count) faults: \(done.joined(separator: ", "))")
                try await village.expectNothingWrong(after: "\(Wishes.deliveries) of deliveries", settled)
                try await report(village)
            }
        }

        /// Of all that people deal in, in the order of `Village.everything`.
        private static let weights = [0, 1, 0, 0, 0, 0, 30, 0]

        private func report(_ village: Village) async throws {
            let evidence = try await village.run.evidence()
            let orders = try evidence.rows("orders", as: DeliveryHistory.OrderRow.self)
            let matches = try evidence.rows("matches", as: DeliveryHistory.MatchRow.self)
            print("ledger: \(orders.count) orders: \(counts(orders.map(\.state.rawValue)))")
            print("ledger: \(matches.count) offers: \(counts(matches.map(\.state.rawValue)))")
            #expect(orders.contains { $0.state == .completed }, "nothing was brought")
            #expect(matches.contains { $0.state == .declined || $0.state == .expired }, "everybody has accepted")
        }

        private func counts(_ names: [String]) -> String {
            Dictionary(grouping: names) { $0 }.sorted { $0.key < $1.key }.map { "\($0.value.count) \($0.key)" }
                .joined(separator: ", ")
        }
    }
}
