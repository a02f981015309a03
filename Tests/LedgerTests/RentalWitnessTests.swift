import Foundation
import Testing
import WireProtocol

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

    @Test func one_person_asks_once_for_the_same_days() throws {
        for isInstant in [true, false] {
            for outcome in [RentalModel.Outcome.refused(.alreadyAsked), .refused(.overlaps), .state(.requested)] {
                let witness = try Self.witness(isInstant: isInstant)
                let first = Self.ask(witness, 1, 1..<4)
                #expect(witness.end(first, .state(isInstant ? .accepted : .requested), at: Self.begin) == nil)
                let second = Self.ask(witness, 1, 3..<5)
                let isExplained = witness.end(second, outcome, at: Self.begin) == nil
                #expect(isExplained == (outcome == .refused(.alreadyAsked)), "\(outcome)")
            }
        }
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
