import Foundation
import KampongClient
import Testing
import WireProtocol

extension LedgerTests {
    /// That the count of who sits in which car counts right, and that what is wrong with a round is found.
    @Suite struct RideCountTests {
        private static let morning = Date(timeIntervalSince1970: 1_800_000_000)

        /// Driven by 0, of five stops an hour apart.
        private static func ride(
            _ seats: Int, _ accepts: RideAcceptance = .everybody, at hours: Double = 0, by driver: Int = 0,
            other: Int? = nil
        ) -> RideModel.Ride {
            RideModel.Ride(
                driver: driver, times: (0...4).map { morning + (hours + Double($0)) * 3600 }, accepts: accepts,
                other: other, seats: seats)
        }

        private static func ask(
            _ ride: Int = 0, _ legs: Range<Int> = 0..<4, seats: Int = 1, waits: Bool = false
        ) -> RideModel.Command.Wish {
            .ask(ride: ride, .init(from: legs.lowerBound, to: legs.upperBound), seats: seats, waits: waits)
        }

        @Test func a_seat_is_given_once_on_each_leg() {
            var model = RideModel([Self.ride(1)])
            let given = RideModel.Answer.seat(.init(state: .accepted), ahead: nil)
            #expect(model.answer(.init(person: 1, wish: Self.ask(0, 0..<2))) == given)
            #expect(model.answer(.init(person: 2, wish: Self.ask(0, 1..<3))) == .refused(.soldOut))
            #expect(model.answer(.init(person: 2, wish: Self.ask(0, 2..<4))) == given)
            #expect(model.free(in: 0) == [0, 0, 0, 0])
            #expect(model.answer(.init(person: 2, wish: Self.ask())) == .refused(.alreadyAsked))
            #expect(model.answer(.init(person: 0, wish: Self.ask())) == .refused(.forbidden))
            #expect(model.answer(.init(person: 0, wish: .offer(ride: 0, seats: 9))) == .refused(.invalid))
            let more = RideModel.Answer.ride(seats: 3, free: [2, 2, 2, 2])
            #expect(model.answer(.init(person: 0, wish: .offer(ride: 0, seats: 3))) == more)
        }

        @Test func the_list_is_walked_in_its_order_and_who_is_looked_at_counts() {
            var model = RideModel([Self.ride(2, .nobody)])
            for person in 1...2 {
                _ = model.answer(.init(person: person, wish: Self.ask()))
                _ = model.answer(.init(person: 0, wish: .act(.accept, on: person - 1)))
            }
            for (person, seats) in [(3, 2), (4, 1), (5, 1)] {
                #expect(
                    model.answer(.init(person: person, wish: Self.ask(seats: seats, waits: true)))
                        == .seat(.init(state: .waiting), ahead: person - 3))
            }
            _ = model.answer(.init(person: 0, wish: .act(.approve, on: 4)))
            _ = model.answer(.init(person: 1, wish: .act(.leave, on: 0)))
            #expect(model.requests.map(\.place.state) == [.left, .accepted, .waiting, .pending, .waiting])
            _ = model.answer(.init(person: 0, wish: .act(.reject, on: 3)))
            #expect(model.requests[4].place == .init(state: .accepted, isConfirmed: false))
        }

        @Test func both_ways_are_one_until_they_are_given() {
            var model = RideModel([Self.ride(1, .nobody, other: 1), Self.ride(1, .nobody, at: 24, other: 0)])
            let both = RideModel.Command.Wish.askBoth(
                ride: 0, .init(from: 0, to: 4), other: .init(from: 0, to: 2), seats: 1, waits: false)
            _ = model.answer(.init(person: 1, wish: both))
            _ = model.answer(.init(person: 2, wish: Self.ask(1, 1..<2)))
            _ = model.answer(.init(person: 0, wish: .act(.accept, on: 2)))
            #expect(model.answer(.init(person: 0, wish: .act(.accept, on: 0))) == .refused(.soldOut))
            #expect(model.requests.map(\.place.state) == [.pending, .pending, .accepted])
            #expect(model.answer(.init(person: 0, wish: .remove(ride: 0, withOther: false))) == .done)
            #expect(model.requests.map(\.place.state) == [.removed, .withdrawn, .accepted])
            #expect(model.answer(.init(person: 3, wish: Self.ask())) == .refused(.notFound))
            #expect(model.answer(.init(person: 1, wish: Self.ask())) == .refused(.wrongState))
        }

        @Test func who_has_a_seat_asks_for_no_other_one_at_that_time() {
            var model = RideModel([Self.ride(1, .nobody), Self.ride(1, .everybody, at: 1.5, by: 9)])
            _ = model.answer(.init(person: 1, wish: Self.ask(0, 0..<2)))
            _ = model.answer(.init(person: 1, wish: Self.ask(1, 1..<2)))
            #expect(
                model.requests.map(\.place.state) == [.pending, .accepted], "the one is over when the other begins")
            _ = model.answer(.init(person: 1, wish: .act(.leave, on: 1)))
            _ = model.answer(.init(person: 1, wish: Self.ask(1, 0..<2)))
            #expect(model.requests.map(\.place.state) == [.withdrawn, .left, .accepted])
            #expect(model.answer(.init(person: 1, wish: Self.ask())) == .refused(.overlaps))
            #expect(model.answer(.init(person: 9, wish: Self.ask())) == .refused(.overlaps))
        }

        // MARK: Rounds

        private static func round(
            _ told: [SeatRound.Told], _ rows: (SeatRound.Wish) -> [SeatRound.Row]
        ) -> [String] {
            let client = KampongClient(baseURL: URL(filePath: "/"))
            let wishes = told.map { _ in
                SeatRound.Wish(person: .init(id: .new(), client: client), legs: 0..<2, seats: 1)
            }
            var round = SeatRound(ride: sample, wishes: wishes)
            (round.told, round.rows) = (told, wishes.flatMap(rows))
            return round.problems()
        }

        /// With one seat, from stop to stop to stop.
        private static let sample = Ride(
            id: .new(), state: .open, driver: PersonSummary(id: .new(), name: "Maya"), stops: [], departsAt: morning,
            arrivesAt: morning, zone: "UTC", seats: 1, free: [1, 1], length: 1, maxDetour: 0, detourLeft: 0,
            luggage: .small, accepts: .everybody, postedAt: morning, mine: false, action: .ask)

        private static func row(
            _ wish: SeatRound.Wish, id: SeatRequestID = .new(), _ state: SeatState = .accepted
        ) -> SeatRound.Row {
            .init(id: id, rider: wish.person.id, state: state, seats: 1, from: 0, to: 2)
        }

        @Test func what_is_wrong_with_a_round_is_found() {
            let id = SeatRequestID.new()
            #expect(Self.round([.given(id)]) { [Self.row($0, id: id)] }.isEmpty)
            #expect(Self.round([.unanswered]) { _ in [] }.isEmpty)
            #expect(Self.round([.unanswered]) { [Self.row($0)] }.isEmpty)
            for (told, problem) in [
                ([.given(id), .given(id)], "-1"), ([.refused(.soldOut)], "has"), ([.refused(.overlaps)], "overlaps"),
                ([.given(id)], "told of"),
            ] as [([SeatRound.Told], String)] {
                let problems = Self.round(told) { [Self.row($0)] }
                #expect(problems.contains { $0.contains(problem) }, "\(problems)")
            }
            #expect(Self.round([.given(id)]) { _ in [] }.count == 1)
            #expect(Self.round([.refused(.soldOut)]) { _ in [] }.count == 1, "there is room")
            #expect(Self.round([.unanswered]) { [Self.row($0), Self.row($0)] }.count == 2)
            #expect(Self.round([.unanswered]) { [Self.row($0, .pending)] }.count == 1)
        }
    }
}
