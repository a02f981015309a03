import Foundation
import KampongClient
import Synchronization
import TestKit
import Testing
import WireProtocol

extension LedgerTests {
    /// What many people do to the same few things at once, beside a model of what is printed in Services/Listings/Rentals/README.md.
    @Suite(LedgerTurn.rentalModel.inTurn) struct RentalModelTests {
        private static let environment = ProcessInfo.processInfo.environment
        /// `deploy/ledger --model` asks for more.
        private static let commands = environment["KAMPONG_LEDGER_MODEL"].flatMap { Int($0) } ?? 3000
        private static let seed =
            environment["KAMPONG_LEDGER_SEED"].flatMap { UInt64($0) } ?? UInt64.random(in: 1...999_999)
        /// Owners have a minute: long runs see what lapses.
        private static let answer: TimeInterval = 60

        private struct Row: Codable {
            var id: RentalID
            var thing: ThingID
            var state: RentalState
            var holds: Bool
        }
        private struct Count: Codable { var count: Int }

        @Test func every_answer_is_explained_and_nothing_is_let_twice() async throws {
            var options = Stack.Options()
            options.settings = Village.settings
            for name in ["RENTALS_REQUESTS", "RENTALS_AHEAD", "RENTALS_THINGS"] {
                options.settings["KAMPONG_\(name)"] = "1000"
            }
            options.settings["KAMPONG_RENTALS_ANSWER"] = "1"
            options.settings["KAMPONG_AUTH_ACCESS_LIFETIME"] = "300"
            let stack = try await Stack.start(options)
            do {
                try await run(on: stack)
            } catch {
                Issue.record("\(error)\n\(stack.logs())")
            }
            await stack.stop()
        }

        private func run(on stack: Stack) async throws {
            let begin = ContinuousClock.now
            let kinds: [ThingKind] = [.space, .parking, .space, .parking, .space, .parking]
            let crowd = try await RentalCrowd(
                try await Self.people(20, of: stack), sharing: kinds, answer: Self.answer, seed: Self.seed)
            let report = try await crowd.run(commands: Self.commands, workers: 24, seed: Self.seed)
            var problems = report.problems
            let rows = try await stack.rows(of: "SELECT id, thing, state, holds FROM listings.rentals", as: Row.self)
            problems += Self.differences(between: crowd, and: rows)
            problems += try await Self.overlaps(in: stack)
            print(
                "ledger: model: \(report.commands) commands in \(ContinuousClock.now - begin), "
                    + "\(rows.count) agreements, \(problems.count) findings; seed \(Self.seed)")
            for unit in RentalUnit.allCases {
                let (granted, taken) = (report.granted(by: unit), report.taken(by: unit))
                let told = report.told[unit, default: [:]].sorted { $0.value > $1.value }
                    .map { "\($0.key) \($0.value)" }
                print(
                    "ledger: model: by the \(unit.rawValue): \(granted) granted, \(taken) refused because somebody "
                        + "else has it; \(told.joined(separator: ", "))")
                #expect(granted > Self.commands / 200 && taken > Self.commands / 200)
            }
            #expect(problems.isEmpty, "seed \(Self.seed): \(problems.prefix(5).joined(separator: "\n"))")
            #expect(report.commands == Self.commands || !problems.isEmpty)
        }

        /// Each is signed up; the last one keeps order.
        private static func people(_ count: Int, of stack: Stack) async throws -> [KampongClient] {
            let url = URL(string: stack.baseURL)!
            var people: [KampongClient] = []
            for number in 1...count {
                let client = KampongClient(baseURL: url)
                let email = "\(UUID().uuidString.lowercased())@example.org"
                _ = try await client.signUp(SignUp(email: email, password: "eight or more", name: "Renter \(number)"))
                people.append(client)
            }
            let keeper = try await people[count - 1].me().id
            _ = try await stack.kampong("moderators", "grant", keeper.description)
            // Tokens say who keeps order.
            try await people[count - 1].refresh()
            return people
        }

        /// Between what was acknowledged and what is there.
        private static func differences(between crowd: RentalCrowd, and rows: [Row]) -> [String] {
            var problems: [String] = []
            let found = Dictionary(grouping: rows, by: \.thing)
            for stall in crowd.stalls {
                let rows = found[stall.id] ?? []
                let made = Dictionary(
                    stall.agreements.withLock { $0 }.map { ($0.id, $0.made) }, uniquingKeysWith: { one, _ in one })
                for row in rows {
                    guard let number = made[row.id] else { continue }
                    if let problem = stall.witness.compare(number, row.state, holds: row.holds) {
                        problems.append("thing \(stall.id): \(problem)")
                    }
                }
                let lost = Set(made.keys).subtracting(rows.map(\.id))
                if !lost.isEmpty { problems.append("thing \(stall.id): \(lost.count) agreements are not there") }
                if !stall.witness.agreements().contains(rows.count) {
                    problems.append("thing \(stall.id): \(rows.count) agreements, \(stall.witness.agreements()) known")
                }
            }
            return problems
        }

        /// Asked of the rows alone, whatever the model says.
        private static func overlaps(in stack: Stack) async throws -> [String] {
            let queries = [
                "periods overlap": """
                SELECT count(*) FROM listings.occupied AS one JOIN listings.occupied AS other
                ON other.thing = one.thing AND other.id > one.id AND other.period && one.period
                """,
                "agreements that hold theirs overlap": """
                SELECT count(*) FROM listings.rentals AS one JOIN listings.rentals AS other
                ON other.thing = one.thing AND other.id > one.id AND one.holds AND other.holds
                    AND one.starts_at < other.ends_at AND other.starts_at < one.ends_at
                """,
                "agreements hold what is not occupied": """
                SELECT count(*) FROM listings.rentals LEFT JOIN listings.occupied ON occupied.rental = rentals.id
                WHERE holds <> (occupied.id IS NOT NULL)
                """,
            ]
            var problems: [String] = []
            for (name, query) in queries {
                let count = try await stack.rows(of: query, as: Count.self).first?.count ?? -1
                if count != 0 { problems.append("\(count) \(name)") }
            }
            return problems
        }
    }
}
