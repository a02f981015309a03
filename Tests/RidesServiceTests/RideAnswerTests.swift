import FoundationEssentials
import People
import Testing
import WireProtocol

@testable import RidesService

@Suite("What people are told of rides")
struct RideAnswerTests {
    private let people = KnownPeople([
        PersonSummary(id: maya, name: "Maya"), PersonSummary(id: tom, name: "Tom"), PersonSummary(id: lin, name: "Lin"),
    ])

    private func seen(_ state: SeatState? = nil, _ ride: OfferedRide = Example.ride(), by viewer: PersonID?) -> Ride {
        let seen = SeenRide(ride: ride, request: state.map { _ in SeatRequestID.new(at: noon) }, requestState: state)
        return Ride(seen, passengers: [(lin, 2)], for: viewer, among: people, at: noon)
    }

    // MARK: Doors

    @Test func doors_are_for_the_driver_and_who_rides_along() {
        for ride in [seen(by: maya), seen(.accepted, by: tom), seen(.disputed, by: tom)] {
            #expect(ride.stops.allSatisfy(\.isExact) && ride.stops[0].position == campus)
            #expect(ride.stops.map(\.address) == ["1 Grand Ave", nil, "Pier 1"])
        }
        for ride in [seen(by: nil), seen(by: tom), seen(.pending, by: tom), seen(.waiting, by: tom)] {
            #expect(ride.stops.allSatisfy { !$0.isExact && $0.address == nil })
            #expect(ride.stops[0].position == campus.onGrid && ride.stops[0].name == "San Luis Obispo")
        }
    }

    @Test func a_ride_says_what_can_be_had() {
        let ride = seen(nil, Example.ride(window: 2, load: SeatLoad(marks: [0, 177_597], people: [3, 0])), by: tom)
        #expect(ride.free == [1, 4] && ride.detourLeft == 20_000 && ride.length == 317_354)
        #expect(ride.leavesBy == Example.departure + 7200 && seen(by: tom).leavesBy == nil)
        #expect(ride.cost == Money(amount: 2000, currency: "USD") && ride.driver.name == "Maya")
        #expect(ride.passengers == [RidePassenger(person: people[lin], seats: 2)])
        #expect(seen(by: nil).passengers.isEmpty, "who rides along is for who is signed in")
    }

    @Test func what_its_driver_needs_is_its_drivers() {
        var hidden = Example.ride()
        hidden.hidden = Hiding(at: noon, reason: "Spam")
        let (mine, others) = (seen(nil, hidden, by: maya), seen(.accepted, hidden, by: tom))
        #expect(mine.mine && mine.version != nil && mine.hidden != nil && mine.possible == [.change, .remove])
        #expect(!others.mine && others.version == nil && others.hidden == nil && others.possible.isEmpty)
        #expect(mine.action == .own && others.action == .leave && others.request != nil)
    }

    @Test func everybody_is_told_no_door() {
        let ride = PublicRide(Example.ride(), driver: people[maya])
        #expect(ride.stops.allSatisfy { !$0.isExact && $0.address == nil })
        #expect(ride.stops.map(\.position) == Example.way.points)
    }

    // MARK: Seats

    private func seat(_ state: SeatState) -> SeatAgreement {
        let part = WayPart(
            boarding: WayPoint(
                at: 108_332, own: OwnPoint(name: "King City", address: "Broadway 1", position: Example.kingCity)),
            leaving: Example.part(0...2).leaving, detour: 2470)
        return SeatAgreement(
            id: .new(at: noon), ride: Example.ride().id, driver: maya, rider: tom, seats: 1, riders: ["Ava"],
            part: part,
            cost: 1317, currency: "USD", message: "Hello", askedAt: noon, answerWithin: 86_400,
            answerBy: state == .pending ? after(hours: 24) : nil, state: state, changedAt: noon, changedBy: tom)
    }

    private func told(_ state: SeatState, _ viewer: PersonID, isModerator: Bool = false) -> SeatRequest {
        SeatRequest(
            seat(state), in: Example.ride(), ahead: 2, for: viewer, isModerator: isModerator, among: people, at: noon)
    }

    @Test(arguments: [SeatState.pending, .waiting, .rejected, .left, .removed, .rode, .settled])
    func each_knows_their_own_doors(_ state: SeatState) {
        let (driver, rider) = (told(state, maya), told(state, tom))
        #expect(!driver.boarding.isExact && driver.boarding.address == nil)
        #expect(driver.boarding.position == Example.kingCity.onGrid && driver.boarding.name == "King City")
        #expect(driver.leaving.isExact && driver.leaving.address == "Pier 1")
        #expect(rider.boarding.isExact && rider.boarding.address == "Broadway 1")
        #expect(!rider.leaving.isExact && rider.leaving.position == city.onGrid && rider.leaving.stop == 2)
    }

    @Test(arguments: [SeatState.accepted, .noShow, .disputed])
    func who_rides_along_knows_both(_ state: SeatState) {
        for request in [told(state, maya), told(state, tom)] {
            #expect(request.boarding.isExact && request.boarding.position == Example.kingCity)
            #expect(request.leaving.isExact && request.leaving.position == city)
        }
        let moderator = told(state, lin, isModerator: true)
        #expect(!moderator.boarding.isExact && !moderator.leaving.isExact && moderator.role == nil)
        #expect(moderator.possible == (state == .disputed ? [.settle] : []))
    }

    @Test func a_request_says_what_can_be_done() {
        let (driver, rider) = (told(.pending, maya), told(.pending, tom))
        #expect(driver.role == .driver && driver.possible == [.accept, .reject])
        #expect(rider.role == .rider && rider.possible == [.withdraw])
        #expect(driver.answerBy == after(hours: 24) && driver.ahead == nil && driver.cost?.amount == 1317)
        #expect(told(.waiting, tom).ahead == 2)
        #expect(driver.ride.from == "San Luis Obispo" && driver.ride.to == "San Francisco")
        #expect(abs(driver.boarding.time.timeIntervalSince(Example.departure) - 5624.94) < 0.001)
    }

    @Test func a_request_that_is_over_outlives_its_stop() {
        var shorter = Example.ride()
        shorter.way.stops.removeLast()
        let request = SeatRequest(seat(.rejected), in: shorter, for: tom, among: people, at: noon)
        #expect(request.leaving.name == "Salinas" && request.leaving.stop == 1 && request.leaving.at == 317_354)
    }

    @Test func news_name_no_place_but_the_ends() {
        let news = SeatNews(seat(.accepted), in: Example.ride(), by: maya, among: people)
        #expect(news.by == maya && news.state == .accepted && news.confirmBy == nil)
        #expect(abs(news.boardsAt.timeIntervalSince(Example.departure) - 5624.94) < 0.001)
    }

    @Test func a_quote_says_what_seats_would_be() throws {
        let draft = SeatDraft(seats: 2, from: Example.own("King City", Example.kingCity, "Broadway 1"))
        let ride = Example.ride(load: SeatLoad(marks: [0, 317_354], people: [1, 0]))
        let quote = SeatQuote(try SeatWish(draft, in: ride), in: ride, waiting: 3)
        #expect(quote.free == 3 && quote.detour == 2470 && quote.seats == 2 && quote.waiting == 3)
        // Of 317,354 metres 209,022.
        #expect(quote.cost == Money(amount: 2635, currency: "USD"))
        #expect(quote.boarding.isExact && quote.boarding.address == "Broadway 1" && !quote.leaving.isExact)
    }

    // MARK: Calling each other

    @Test func the_two_call_each_other_until_a_day_after_the_arrival() {
        let ride = Example.ride()
        let end = ride.lastArrival + 86_400
        for state in [SeatState.accepted, .rode, .noShow, .disputed] {
            #expect(seat(state).mayCall(in: ride, at: end - 1) && !seat(state).mayCall(in: ride, at: end))
        }
        for state in [SeatState.pending, .waiting, .rejected, .left, .removed, .expired, .withdrawn, .settled] {
            #expect(!seat(state).mayCall(in: ride, at: noon))
        }
    }
}
