import FoundationEssentials
import People
import Testing
import WireProtocol

@testable import MatchingService

@Suite("What people are told of deliveries")
struct DeliveryAnswerTests {
    private let people = KnownPeople([
        PersonSummary(id: maya, name: "Maya"), PersonSummary(id: tom, name: "Tom"), PersonSummary(id: kim, name: "Kim"),
    ])

    private func seen(
        _ state: MatchState, by viewer: PersonID, isModerator: Bool = false, at now: Date = noon,
        _ change: (inout MatchAgreement) -> Void = { _ in }
    ) -> DeliveryMatch {
        DeliveryMatch(
            Example.match(state, change), of: Example.order { $0.pickUpCode = "A7" }, for: viewer,
            isModerator: isModerator, among: people, at: now)
    }

    // MARK: Doors and codes

    @Test(arguments: MatchState.allCases)
    func a_door_is_for_who_brings_it(_ state: MatchState) {
        let (orderer, deliverer, moderator) = (
            seen(state, by: tom), seen(state, by: maya), seen(state, by: lin, isModerator: true)
        )
        #expect(orderer.door == "Room 4" && orderer.pickUpCode == "A7")
        let knows = [MatchState.accepted, .pickedUp, .delivered, .received, .disputed].contains(state)
        #expect(deliverer.door == (knows ? "Room 4" : nil) && deliverer.pickUpCode == (knows ? "A7" : nil))
        #expect(moderator.door == nil && moderator.pickUpCode == nil && moderator.role == nil)
    }

    @Test(arguments: MatchState.allCases)
    func four_digits_are_the_orderers(_ state: MatchState) {
        let isNeeded = [MatchState.accepted, .pickedUp, .delivered].contains(state)
        #expect(seen(state, by: tom).code == (isNeeded ? "0472" : nil))
        #expect(seen(state, by: maya).code == nil && seen(state, by: lin, isModerator: true).code == nil)
    }

    @Test(arguments: MatchState.allCases)
    func a_point_of_somebodys_own_is_for_who_needs_it(_ state: MatchState) {
        let oak = DeliveryPlace(name: "The oak", position: position(1000, 40))
        let pond = DeliveryPlace(name: "By the pond", position: position(990))
        #expect(oak.coarse.position == oak.position.onGrid && oak.coarse.position != oak.position)
        #expect(oak.coarse.name == oak.name && exactum.shown.coarse == exactum.shown)
        var match = MatchAgreement(
            of: Example.order { $0.dropOff = pond }, "Soup", to: Example.availability { $0.dropOff = oak }, Example.fit,
            id: Example.match().id, code: "0472", until: after(minutes: 1), at: noon)
        match.state = state
        let (orderer, deliverer, moderator) = (answer(match, to: tom), answer(match, to: maya), answer(match, to: lin))
        #expect(orderer.dropOff == pond && orderer.destination == oak.coarse)
        #expect(deliverer.dropOff == (state.isOver ? pond.coarse : pond) && deliverer.destination == oak)
        #expect(moderator.dropOff == pond.coarse && moderator.destination == oak.coarse)
    }

    private func answer(_ match: MatchAgreement, to viewer: PersonID) -> DeliveryMatch {
        DeliveryMatch(
            match, of: Example.order(), for: viewer, isModerator: viewer == lin, among: people, at: noon)
    }

    @Test func a_match_says_what_can_be_done() {
        let (orderer, deliverer) = (seen(.offered, by: tom), seen(.offered, by: maya))
        #expect(orderer.role == .orderer && orderer.possible == [] && deliverer.role == .deliverer)
        #expect(deliverer.possible == [.accept, .decline] && deliverer.expiresAt == after(minutes: 1))
        #expect(deliverer.orderer.name == "Tom" && deliverer.restaurant == unicafe.shown && deliverer.items == "Soup")
        #expect(
            seen(.accepted, by: maya).expiresAt == nil
                && seen(.disputed, by: lin, isModerator: true).possible == [.settle])
        #expect(seen(.disputed, by: lin).possible == [])
    }

    @Test func a_match_says_what_was_paid_and_said() {
        let picked = seen(.pickedUp, by: tom) { ($0.receipt, $0.isShared) = ("0a", true) }
        #expect(picked.owed == euros(1200) && picked.spent == euros(1000) && picked.receipt == "0a" && picked.isShared)
        let disputed = seen(.disputed, by: maya) { ($0.changedBy, $0.reason) = (tom, "It is cold.") }
        #expect(disputed.statements == [MatchStatement(by: people[tom], text: "It is cold.", at: noon)])
        #expect(disputed.changedBy?.name == "Tom" && disputed.reason == "It is cold.")
        #expect(Example.match { $0.changedBy = lin }.people == [tom, maya, lin])
    }

    @Test func what_is_over_is_over_in_every_answer() {
        let late = seen(.offered, by: maya, at: after(minutes: 1))
        #expect(late.state == .expired && late.possible == [] && late.expiresAt == nil)
        #expect(late.changedAt == after(minutes: 1))
        #expect(seen(.delivered, by: maya, at: noon + 12 * 3600).state == .completed)
    }

    // MARK: Orders

    private func told(
        _ state: OrderState = .waiting, _ matches: [MatchAgreement] = [], possible: Int = 3, at now: Date = noon,
        _ change: (inout PlacedOrder) -> Void = { _ in }
    ) -> DeliveryOrder {
        DeliveryOrder(Example.order(state, change), matches, possible: possible, among: people, at: now)
    }

    @Test func an_order_says_what_is_wanted() {
        let order = told()
        #expect(order.from == [OrderedFrom(restaurant: unicafe.shown, items: "Soup")] && order.door == "Room 4")
        #expect(order.dropOff == exactum.shown && order.terms.limit == euros(1200) && order.possibleDeliverers == 3)
        #expect(order.possible == [.change, .cancel] && order.steps == [] && order.asked == nil && order.match == nil)
        #expect(told(.matched).possibleDeliverers == 0 && told(.lapsed).possibleDeliverers == 0)
    }

    @Test func an_order_says_who_was_asked() {
        let kims = OfferedAvailability(
            id: AvailabilityID.new(at: noon), deliverer: kim, beganAt: noon, state: .available, restaurant: unicafe,
            dropOff: exactum.shown, capacity: 1, detour: 0, until: after(minutes: 30), isListed: true, changedAt: noon)
        let second = MatchAgreement(
            of: Example.order(), "Soup", to: kims, Example.fit, id: MatchID.new(at: noon), code: "0000",
            until: noon + 100, at: noon + 40)
        let declined = Example.match(.declined) { $0.changedAt = noon + 40 }
        let order = told(.offered, [second, declined], at: noon + 50)
        #expect(
            order.steps.map(\.what) == [.asked, .asked, .declined]
                && order.steps.map(\.at) == [noon, noon + 40, noon + 40])
        #expect(order.asked == AskedDeliverer(person: people[kim], match: second.id, until: noon + 100))
        let later = told(.offered, [second, declined], at: noon + 100)
        #expect(later.state == .waiting && later.asked == nil && later.steps.last?.what == .expired)
    }

    @Test(arguments: [
        (MatchState.accepted, [OrderStep.What.asked, .accepted]), (.withdrawn, [.asked, .gone]),
        (.expired, [.asked, .expired]), (.cancelled, [.asked, .accepted, .gaveUp]), (.completed, [.asked, .accepted]),
        (.givenUp, [.asked, .accepted]),
    ])
    func steps_say_how_it_went(_ state: MatchState, _ steps: [OrderStep.What]) {
        let order = told(.waiting, [Example.match(state)])
        #expect(order.steps.map(\.what) == steps && order.steps.allSatisfy { $0.person?.name == "Maya" })
        let own = Example.match(state) { ($0.changedBy, $0.pickedUpAt) = (tom, nil) }
        if state == .withdrawn || state == .cancelled {
            #expect(told(.cancelled, [own]).steps.count == steps.count - 1, "the orderer ended it")
        }
    }

    @Test func an_order_names_who_brings_it() {
        let id = Example.match().id
        for state in [MatchState.accepted, .pickedUp, .completed, .noShow, .lapsed, .givenUp] {
            #expect(told(.matched, [Example.match(state)]).match == id)
        }
        for state in [MatchState.offered, .declined, .withdrawn, .cancelled] {
            #expect(told(.waiting, [Example.match(state)]).match == nil)
        }
        #expect(told(.cancelled, [Example.match(.cancelled) { $0.changedBy = tom }]).match == id)
    }

    // MARK: Availabilities

    @Test func an_availability_says_what_is_in_hand() {
        let other = Example.match(.accepted)
        func told(_ held: MatchAgreement..., taken: Int = 0, at now: Date = noon) -> Availability {
            Availability(Example.availability { $0.taken = taken }, HeldDeliveries(matches: held), at: now)
        }
        let answer = told(other, Example.match(.delivered), taken: 2)
        #expect(answer.matches == [other.id] && answer.taken == 1 && answer.state == .available)
        #expect(answer.restaurant == unicafe.shown && answer.dropOff == exactum.shown && answer.capacity == 2)
        let undone = told(Example.match(.pickedUp) { $0.isUndone = true })
        #expect(undone.matches == [other.id] && undone.taken == 0)
        let expired = told(Example.match(), at: after(minutes: 1))
        #expect(expired.taken == 0 && expired.matches == [])
        #expect(told(at: after(minutes: 30)).state == .ended)
    }

    @Test func a_deliverer_is_shown_with_where_they_go() {
        let shown = Deliverer(Example.availability { $0.taken = 1 }, to: position(1000, 200), among: people)
        #expect(shown.person.name == "Maya" && shown.distance == 200 && shown.free == 1)
        #expect(shown.dropOff == exactum.shown && shown.until == after(minutes: 30))
        #expect(Deliverer(Example.availability(), to: nil, among: people).distance == nil)
        let home = DeliveryPlace(name: "Home", position: position(1000, 40))
        let own = Deliverer(Example.availability { $0.dropOff = home }, to: position(0), among: people)
        #expect(own.dropOff == home.coarse, "not where they live")
        #expect(own.distance == Int(position(0).metres(to: home.coarse.position).rounded()))
    }

    // MARK: Events

    @Test func news_have_no_door_code_or_point() throws {
        let order = Example.order(.offered) { ($0.pickUpCode, $0.dropOff.name) = ("A7", "Exactum") }
        let match = Example.match(.accepted)
        let news = MatchNews(match, of: order, by: maya, among: people)
        #expect(news.orderState == .offered && news.by == maya && news.expiresAt == nil)
        #expect(news.expectedAt == after(minutes: 20) && news.restaurant == "Unicafe" && news.dropOff == "Exactum")
        let text = String(decoding: try WireJSON.encode(MatchUpdate(match: news, what: .accepted)), as: UTF8.self)
        for secret in ["Room", "A7", "0472", "latitude", "Soup", "Yliopistonkatu"] { #expect(!text.contains(secret)) }
        #expect(MatchNews(Example.match(), of: order, by: nil, among: people).expiresAt == after(minutes: 1))
        #expect(OrderLapsed(order) == OrderLapsed(order: order.id, dropOff: "Exactum", orderer: tom))
        let changed = AvailabilityChanged(Example.availability(), .paused)
        #expect(changed.person == maya && changed.restaurant == "Unicafe" && changed.what == .paused)
        #expect(match.audience == [maya, tom])
    }
}
