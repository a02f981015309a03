import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension LedgerTests {
    /// A thousand people want the four seats of one ride, again and again, while what gives them is killed.
    @Suite(LedgerTurn.seatRounds.inTurn) struct SeatRoundsTests {
        private static let environment = ProcessInfo.processInfo.environment
        /// `deploy/ledger --seat-rounds` asks for more.
        private static let rounds = environment["KAMPONG_LEDGER_SEAT_ROUNDS"].flatMap { Int($0) } ?? 4
        private static let people = 1000
        /// In every second round something is killed.
        private static let calm = 2

        @Test func in_every_round_of_1000_people_no_part_of_a_ride_is_given_twice() async throws {
            let server = try await PostgresCluster.start(.init(waitsForDisk: false))
            do {
                let stack = try await Stack.start(Self.options(on: server))
                do { try await run(on: stack, server) } catch {
                    Issue.record("\(error)\n\(stack.logs())\n\(server.log())")
                }
                await stack.stop()
            } catch {
                Issue.record("\(error)\n\(server.log())")
            }
            await server.remove()
        }

        private static func options(on server: PostgresCluster) -> Stack.Options {
            var options = Stack.Options()
            options.settings = Village.settings
            for name in ["LIMITS_CONNECTIONS_ADDRESS", "LIMITS_CONNECTIONS_SECOND"] {
                options.settings["KAMPONG_\(name)"] = "5000"
            }
            options.settings["KAMPONG_AUTH_ACCESS_LIFETIME"] = "3600"
            options.settings.merge(RidePerson.cheapPasswords) { $1 }
            options.replicas = [.rides: 2]
            options.server = server
            return options
        }

        private func run(on stack: Stack, _ server: PostgresCluster) async throws {
            let begin = ContinuousClock.now
            let people = try await RidePerson.join(Self.people + 1, stack, attempts: 12)
            let joined = ContinuousClock.now
            var dice = SeededGenerator(seed: Wishes.seed)
            let victims =
                stack.members.filter { $0.role == .rides }.map { Victim.member($0, of: stack) } + [.server(server)]
            var (given, unanswered, killed, problems) = (0, 0, [String: Int](), [String]())
            for number in 0..<Self.rounds where problems.isEmpty {
                let riders = Array(people.dropLast())
                var round = try await SeatRound(
                    of: people[Self.people], for: riders, whole: number % 4 < 2, using: &dice)
                let victim = number % Self.calm == 0 ? nil : victims.randomElement(using: &dice)
                let wait = Duration.milliseconds(Int.random(in: 50...2000, using: &dice))
                async let hurt: Void = Self.hurt(victim, after: wait)
                await round.ask()
                try await hurt
                if let victim { killed[victim.name, default: 0] += 1 }
                try await Self.awaitQuiet(in: stack)
                try await round.look(in: stack)
                problems += round.problems()
                (given, unanswered) = (given + round.given, unanswered + round.unanswered)
                try await people[Self.people].client.removeRide(round.ride.id)
                problems += try await RideRows.problems(in: stack)
            }
            print(
                "ledger: \(Self.rounds) rounds of \(Self.people) people at four seats in \(ContinuousClock.now - joined), "
                    + "after \(joined - begin) in which they signed up: \(given) given, \(unanswered) without an answer, killed "
                    + "\(killed.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")); "
                    + "\(problems.count) findings; seed \(Wishes.seed)")
            #expect(problems.isEmpty, "seed \(Wishes.seed): \(problems.prefix(5).joined(separator: "\n"))")
            #expect(given + unanswered >= Self.rounds * 2 && unanswered <= Self.rounds * Self.people / 20)
        }

        /// Kills it, and starts it again as a supervisor would.
        private static func hurt(_ victim: Victim?, after wait: Duration) async throws {
            guard let victim else { return }
            try await Task.sleep(for: wait)
            try await victim.kill()
            try await Task.sleep(for: .milliseconds(250))
            try await victim.revive()
        }

        private struct Busy: Codable {
            var waiting: Int
            var deadlocks: Int
        }

        /// Nobody holds a lock any more, or waits for one; and nobody has waited in a circle.
        private static func awaitQuiet(in stack: Stack) async throws {
            let query = """
                SELECT (SELECT count(*) FROM pg_stat_activity
                    WHERE datname = current_database() AND pid <> pg_backend_pid()
                        AND (wait_event_type = 'Lock' OR state LIKE 'idle in transaction%')) AS waiting,
                    (SELECT deadlocks FROM pg_stat_database WHERE datname = current_database()) AS deadlocks
                """
            try await eventually("all locks to be given back") {
                let found = try await stack.rows(of: query, as: Busy.self)
                #expect(found.first?.deadlocks == 0)
                return found.first?.waiting == 0
            }
        }
    }
}
