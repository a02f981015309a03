import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension LedgerTests {
    /// People who erase themselves, and people who take their data along, while processes die and freeze at random.
    @Suite(LedgerTurn.farewells.inTurn) struct FarewellTests {
        /// Pictures are looked for every five seconds, and what failed is tried again after thirty at the most.
        private static let whole = Promised(.seconds(45))

        @Test func whatever_dies_who_erases_themselves_is_gone_and_who_asks_gets_everything() async throws {
            let guests = GuestsSubject()
            let others: [any LedgerSubject] = [PeerRole.listings, .rides, .matching, .chat, .notification].map {
                BystanderSubject(service: $0)
            }
            try await Village.with(subjects: [guests] + others, weights: [1]) { village in
                var havoc = Havoc(
                    village.stack.members.map { .member($0, of: village.stack) } + [.server(village.server)],
                    seed: Wishes.seed)
                var done: [String] = []
                let duration = Wishes.farewells
                let settled = try await village.run.load { done = try await havoc.run(for: duration) }
                print("ledger: \(done.count) faults: \(done.joined(separator: ", "))")
                let begin = ContinuousClock.now
                while try await !village.run.audit().isEmpty, ContinuousClock.now - begin < Self.whole.limit {
                    try await Task.sleep(for: .milliseconds(500))
                }
                let whole = ContinuousClock.now - begin
                try await village.expectNothingWrong(after: "\(duration) of farewells", settled)
                let opened = try await Archives(of: guests.book).expectEverything()
                let lives = guests.book.all.map(\.now)
                let gone = lives.count(where: \.erasure.isAcknowledged)
                print(
                    "ledger: \(lives.count) guests, \(gone) erased and told so, \(lives.count(where: \.export.isAcknowledged))"
                        + " archives asked for, \(opened.archives) opened with \(opened.records) records looked for;"
                        + " whole \(Self.whole.compared(with: whole))")
                #expect(gone > 0 && opened.records > 0, "nobody has gone, or nobody has taken anything along")
            }
        }
    }
}
