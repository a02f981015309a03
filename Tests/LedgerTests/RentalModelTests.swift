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

/// The witness can find something.
@Suite struct RentalWitnessTests {
    private typealias Command = RentalModel.Command
    private static let begin = Date(timeIntervalSince1970: 1_800_000_000)

    private static func witness(isInstant: Bool = true) throws -> RentalWitness {
        RentalWitness(.init(owner: 0, moderator: 9, isInstant: isInstant, table: try RentalTable.printed()))
    }

    private static func ask(
        _ witness: RentalWitness, _ person: Int, _ span: Range<Int>, by unit: RentalUnit = .day
    ) -> Int {
        let length: TimeInterval = unit == .day ? 86400 : 3600
        return witness.begin(
            Command(person: person, wish: .ask(span)),
            .init(
                renter: person, span: span, unit: unit, startsAt: begin + Double(span.lowerBound) * length,
                endsAt: begin + Double(span.upperBound) * length, answerBy: begin + 86400), at: begin)
    }

    @Test func the_table_is_read_as_it_is_printed() throws {
        let rules = try RentalTable.printed().rules
        #expect(rules.count == 30)
        #expect(rules.contains { $0.state == .disputed && $0.who == .moderator && $0.act == .settle })
    }

    @Test func who_asks_for_the_same_days_one_after_the_other_is_not_given_them() throws {
        let witness = try Self.witness()
        let first = Self.ask(witness, 1, 1..<4)
        #expect(witness.end(first, .state(.accepted), at: Self.begin) == nil)
        let second = Self.ask(witness, 2, 3..<5)
        #expect(witness.end(second, .state(.accepted), at: Self.begin) != nil)
    }

    @Test func of_two_at_once_either_may_have_it_but_not_both_and_not_neither() throws {
        for (one, other, isRight) in [
            (RentalModel.Outcome.state(.accepted), RentalModel.Outcome.refused(.overlaps), true),
            (.refused(.overlaps), .state(.accepted), true), (.state(.accepted), .state(.accepted), false),
            (.refused(.overlaps), .refused(.overlaps), false),
        ] {
            let witness = try Self.witness()
            let (first, second) = (Self.ask(witness, 1, 1..<4), Self.ask(witness, 2, 2..<3))
            let problems = [witness.end(second, other, at: Self.begin), witness.end(first, one, at: Self.begin)]
            let isExplained = problems == [nil, nil]
            #expect(isExplained == isRight)
        }
    }

    @Test func who_waits_for_days_that_somebody_else_is_given_is_turned_away_unless_their_time_is_over() throws {
        for (isOverdue, found) in [(false, RentalState.declined), (true, .lapsed)] {
            let witness = try Self.witness(isInstant: false)
            let (first, second) = (Self.ask(witness, 1, 1..<4), Self.ask(witness, 2, 3..<5))
            let due = Self.begin + 60
            #expect(witness.end(second, .state(.requested), answerBy: isOverdue ? due : nil, at: Self.begin) == nil)
            #expect(witness.end(first, .state(.requested), at: Self.begin) == nil)
            let accept = witness.begin(Command(person: 0, wish: .act(.accept, on: first)), at: due)
            #expect(witness.end(accept, .state(.accepted), at: due) == nil)
            for state in [RentalState.declined, .lapsed, .accepted] {
                let isExplained = witness.compare(second, state, holds: false, at: due) == nil
                #expect(isExplained == (state == found))
            }
        }
    }

    @Test func what_is_disputed_in_hand_comes_back_once_and_each_may_speak_five_times() throws {
        let witness = try Self.witness()
        let asked = Self.ask(witness, 1, 0..<3)
        func does(_ act: RentalAct, _ person: Int, _ outcome: RentalModel.Outcome) -> String? {
            let number = witness.begin(Command(person: person, wish: .act(act, on: asked)), at: Self.begin)
            return witness.end(number, outcome, at: Self.begin)
        }
        #expect(witness.end(asked, .state(.accepted), at: Self.begin) == nil)
        #expect(does(.handOver, 1, .state(.handedOver)) == nil)
        #expect(does(.dispute, 0, .state(.disputed)) == nil)
        #expect(witness.compare(asked, .disputed, holds: true, at: Self.begin) == nil)
        for _ in 0..<5 { #expect(does(.explain, 1, .state(.disputed)) == nil) }
        #expect(does(.explain, 1, .refused(.wrongState)) == nil)
        #expect(does(.giveBack, 1, .state(.disputed)) == nil)
        #expect(witness.compare(asked, .disputed, holds: false, at: Self.begin) == nil)
        #expect(does(.giveBack, 0, .state(.disputed)) != nil, "it is back already")
    }

    @Test func what_the_table_does_not_allow_is_found_and_what_was_not_heard_may_be_either() throws {
        let witness = try Self.witness(isInstant: false)
        let asked = Self.ask(witness, 1, 1..<4)
        #expect(witness.end(asked, .state(.requested), at: Self.begin) == nil)
        // Nothing is heard of this one.
        _ = witness.begin(Command(person: 0, wish: .act(.accept, on: asked)), at: Self.begin)
        #expect(witness.compare(asked, .requested, holds: false, at: Self.begin) == nil)
        #expect(witness.compare(asked, .accepted, holds: true, at: Self.begin) == nil)
        #expect(witness.compare(asked, .accepted, holds: false, at: Self.begin) != nil)
        let decline = witness.begin(Command(person: 0, wish: .act(.decline, on: asked)), at: Self.begin)
        #expect(witness.end(decline, .state(.declined), at: Self.begin) == nil)
        let look = witness.begin(Command(person: 1, wish: .look(at: asked)), at: Self.begin)
        #expect(witness.end(look, .state(.accepted), at: Self.begin) != nil)
    }
    @Test func hours_of_which_one_ends_where_the_other_begins_are_two_peoples() throws {
        let hours: [(span: Range<Int>, isFree: Bool)] = [
            (12..<14, true), (16..<17, true), (13..<15, false), (15..<18, false), (14..<16, false), (15..<16, false),
        ]
        for (span, isFree) in hours {
            for outcome in [RentalModel.Outcome.state(.accepted), .refused(.overlaps)] {
                let witness = try Self.witness()
                let first = Self.ask(witness, 1, 14..<16, by: .hour)
                #expect(witness.end(first, .state(.accepted), at: Self.begin) == nil)
                let second = Self.ask(witness, 2, span, by: .hour)
                let isExplained = witness.end(second, outcome, at: Self.begin) == nil
                #expect(isExplained == (isFree == (outcome == .state(.accepted))))
            }
        }
    }

    @Test func hours_are_handed_over_from_an_hour_before_until_they_end() throws {
        for (minute, isTime) in [(59.0, false), (61.0, true), (239.0, true), (241.0, false)] {
            let witness = try Self.witness()
            let asked = Self.ask(witness, 1, 2..<4, by: .hour)
            #expect(witness.end(asked, .state(.accepted), at: Self.begin) == nil)
            let now = Self.begin + minute * 60
            let act = witness.begin(Command(person: 0, wish: .act(.handOver, on: asked)), at: now)
            let isExplained = witness.end(act, isTime ? .state(.handedOver) : .refused(.wrongState), at: now) == nil
            #expect(isExplained, "after \(minute) minutes")
        }
    }

    @Test func what_was_called_off_before_its_hour_is_over_and_what_had_begun_may_be_disputed() throws {
        for (minute, hadBegun) in [(119.0, false), (121.0, true)] {
            for outcome in [RentalModel.Outcome.state(.disputed), .refused(.wrongState)] {
                let witness = try Self.witness()
                let asked = Self.ask(witness, 1, 2..<4, by: .hour)
                #expect(witness.end(asked, .state(.accepted), at: Self.begin) == nil)
                let then = Self.begin + minute * 60
                let cancel = witness.begin(Command(person: 1, wish: .act(.cancel, on: asked)), at: then)
                #expect(witness.end(cancel, .state(.cancelled), at: then) == nil)
                // It has begun by now in either case.
                let now = Self.begin + 130 * 60
                let dispute = witness.begin(Command(person: 1, wish: .act(.dispute, on: asked)), at: now)
                let isExplained = witness.end(dispute, outcome, at: now) == nil
                #expect(isExplained == (hadBegun == (outcome == .state(.disputed))))
            }
        }
    }

    @Test func hours_are_said_as_clocks_show_them_where_they_are() throws {
        let zone = RentalCrowd.Zone.quarters(at: Self.begin)
        let calendar = try #require(TimeZone(identifier: zone.name).map(Self.calendar))
        let first = zone.first(at: Self.begin)
        for number in first...first + 30 {
            let period = zone.period(number..<number + 1)
            let parts = calendar.dateComponents([.day, .hour, .minute], from: zone.start(of: number))
            let (day, hour) = (try #require(parts.day), try #require(parts.hour))
            #expect(parts.minute == 0)
            #expect(period.from == "2027-01-\(day)T\(hour < 10 ? "0" : "")\(hour):00")
            #expect(period.until == zone.period(number + 1..<number + 2).from)
        }
    }

    private static func calendar(_ zone: TimeZone) -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        return calendar
    }
}
