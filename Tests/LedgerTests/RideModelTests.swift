import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension LedgerTests {
    /// What people who share rides are told, each answer held to somebody who counts on their fingers.
    @Suite(LedgerTurn.rideModel.inTurn) struct RideModelTests {
        private static let environment = ProcessInfo.processInfo.environment
        /// `deploy/ledger --seats` asks for more.
        private static let commands = environment["KAMPONG_LEDGER_SEATS"].flatMap { Int($0) } ?? 3000
        private static let (people, workers) = (200, 24)

        @Test func every_answer_is_the_counted_one_and_nothing_is_given_twice() async throws {
            var options = Stack.Options()
            options.settings = Village.settings
            options.settings["KAMPONG_RIDES_REQUESTS"] = "1000"
            options.settings["KAMPONG_RIDES_OPEN"] = "1000"
            options.settings["KAMPONG_AUTH_ACCESS_LIFETIME"] = "300"
            options.settings.merge(RidePerson.cheapPasswords) { $1 }
            options.replicas = [.rides: 2]
            let stack = try await Stack.start(options)
            do { try await run(on: stack) } catch { Issue.record("\(error)\n\(stack.logs())") }
            await stack.stop()
        }

        private func run(on stack: Stack) async throws {
            let begin = ContinuousClock.now
            let people = try await RidePerson.join(Self.people, stack, attempts: 12)
            let crowd = RideCrowd(people) { try await RideRows.settled($0, in: stack) }
            let report = await crowd.run(commands: Self.commands, workers: Self.workers, seed: Wishes.seed)
            var problems = report.problems
            if problems.isEmpty { problems += try await RideRows.differences(to: report.lanes, in: stack) }
            problems += try await RideRows.problems(in: stack)
            let requests = report.lanes.map(\.seats.count).reduce(0, +)
            let told = report.told.sorted { $0.value > $1.value }.map { "\($0.key) \($0.value)" }
            print(
                "ledger: seats: \(report.commands) commands in \(ContinuousClock.now - begin), \(requests) requests in "
                    + "\(report.lanes.map(\.model.rides.count).reduce(0, +)) rides, \(problems.count) findings; seed "
                    + "\(Wishes.seed); \(told.joined(separator: ", "))")
            #expect(problems.isEmpty, "seed \(Wishes.seed): \(problems.prefix(3).joined(separator: "\n"))")
            guard problems.isEmpty else { return }
            #expect(report.commands == Self.commands)
            for (what, least) in [
                ("accepted", 10), ("pending", 10), ("waiting", 50), ("sold_out", 50), ("overlaps", 200),
                ("wrong_state", 50), ("already_asked", 100), ("not_found", 200), ("seats_taken", 500),
                ("forbidden", 200),
            ] {
                #expect(report.told(what) >= Self.commands / least / 4, "hardly anybody was told \(what)")
            }
        }
    }
}

extension RidePerson {
    /// Hashes cost next to nothing, so that a thousand people sign up within seconds.
    static let cheapPasswords = ["KAMPONG_AUTH_ARGON2_MEMORY": "8", "KAMPONG_AUTH_ARGON2_PASSES": "1"]

    /// Signed up, a few at a time.
    /// - Parameter attempts: how often each asks again where it is "not now".
    static func join(_ count: Int, _ stack: Stack, attempts: Int) async throws -> [RidePerson] {
        let url = URL(string: stack.baseURL)!
        var people: [RidePerson] = []
        while people.count < count {
            people += try await withThrowingTaskGroup(of: RidePerson.self) { group in
                for number in people.count..<min(people.count + 10, count) {
                    group.addTask {
                        let client = KampongClient(baseURL: url, retry: RetryPolicy(attempts: attempts))
                        let email = "\(UUID().uuidString.lowercased())@example.org"
                        let joined = try await client.signUp(
                            SignUp(email: email, password: "eight or more", name: "Rider \(number)"))
                        return RidePerson(id: joined.id, client: client)
                    }
                }
                return try await group.reduce(into: []) { $0.append($1) }
            }
        }
        return people
    }
}
