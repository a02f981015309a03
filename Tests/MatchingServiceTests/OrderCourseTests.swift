import FoundationEssentials
import Testing
import WireProtocol

@testable import MatchingService

@Suite("The table of orders")
struct OrderCourseTests {
    private static let end = Example.order().waitsUntil

    /// When a condition holds for the example, and when it does not: a second apart.
    private static func moments(_ condition: OrderCondition) -> (holds: Date, not: Date?) {
        switch condition {
        case .always, .isAccepted, .isOff, .isSettled, .isForgotten: (noon, nil)
        case .beforeItLapses, .rollsOn, .asksFirst: (end - 1, end)
        case .afterItLapses, .isTooLate: (end, end - 1)
        }
    }

    private static func example(_ rule: OrderRule) -> PlacedOrder {
        Example.order(rule.state) {
            if rule.condition == .asksFirst { $0.asked = Example.availability().id }
        }
    }

    /// What a condition is about.
    private static func matches(_ rule: OrderRule) -> [MatchAgreement] {
        switch rule.condition {
        case .isAccepted: [Example.match(.accepted)]
        case .rollsOn, .asksFirst, .isTooLate:
            rule.state == .offered
                ? [.declined, .expired, .withdrawn].map { Example.match($0) } : [unpicked, Example.match(.cancelled)]
        case .isOff: [Example.match(.givenUp), Example.match(.cancelled) { $0.changedBy = tom }]
        case .isSettled: [.completed, .noShow, .settled].map { Example.match($0) }
        case .isForgotten: [Example.match(.lapsed)]
        default: []
        }
    }

    private static let unpicked = Example.match(.givenUp) { $0.pickedUpAt = nil }

    @Test(arguments: OrderRule.table.filter { $0.who == .orderer })
    func what_stands_in_it_is_done(_ rule: OrderRule) throws {
        let act = try #require(rule.act)
        let (holds, not) = Self.moments(rule.condition)
        let order = Self.example(rule)
        #expect(try self.act(act, order, at: holds).state == rule.next)
        #expect(try self.act(act, order, at: holds).changedAt == (rule.next == rule.state ? noon : holds))
        #expect(order.possible(for: tom, at: holds).contains(act) && order.possible(for: maya, at: holds) == [])
        if let not {
            #expect(throws: DeliveryError.orderOver(order.possible(for: tom, at: not))) {
                try self.act(act, order, at: not)
            }
        }
    }

    private func act(_ act: OrderAct, _ order: PlacedOrder, at now: Date) throws(DeliveryError) -> PlacedOrder {
        switch act {
        case .change:
            try order.change(
                OrderDraft(door: "Room 5"), of: [], asking: nil, among: places, at: now, within: limits
            ).order
        case .cancel: try order.cancel(nil, at: now).order
        case .ask: try order.askNext(OrderAsking(), nil, of: [], at: now, within: limits).order
        }
    }

    @Test(arguments: OrderRule.table.filter { $0.who == .time })
    func time_does_its_part(_ rule: OrderRule) throws {
        let (holds, not) = Self.moments(rule.condition)
        let order = Self.example(rule)
        let decision = try #require(order.pass(at: holds))
        #expect(decision.order.state == rule.next && decision.hasLapsed == rule.hasLapsed)
        #expect(order.dueAt == holds)
        if let not { #expect(order.pass(at: not) == nil) }
    }

    @Test(arguments: OrderRule.table.filter { $0.who == .match })
    func an_order_follows_its_match(_ rule: OrderRule) throws {
        let (holds, not) = Self.moments(rule.condition)
        let order = Self.example(rule)
        for match in Self.matches(rule) {
            let decision = try #require(order.follow(match, at: holds))
            #expect(decision.order.state == rule.next && decision.hasLapsed == rule.hasLapsed, "\(match.state)")
            #expect(decision.order.changedAt == holds && decision.match == nil && decision.offer == nil)
            if let not { #expect(order.follow(match, at: not)?.order.state != rule.next) }
        }
    }

    @Test(arguments: OrderRule.table.filter { $0.who == .community })
    func the_community_ends_it(_ rule: OrderRule) throws {
        let decision = try #require(Self.example(rule).callOff(nil, at: noon))
        #expect(decision.order.state == rule.next && decision.hasLapsed == rule.hasLapsed)
    }

    @Test func somebody_is_found_for_what_waits() throws {
        func offer(_ order: PlacedOrder, at now: Date) throws(DeliveryError) -> OrderDecision {
            try order.offer(
                to: Example.availability(), Example.fit, id: Example.match().id, code: "0472", until: now + 60, at: now)
        }
        let decision = try offer(Example.order(), at: noon)
        #expect(decision.order.state == .offered && decision.offer == Example.match())
        for state in OrderState.allCases where state != .waiting {
            let order = Example.order(state)
            #expect(throws: DeliveryError.orderOver(order.possible(for: tom, at: noon))) { try offer(order, at: noon) }
        }
        #expect(try offer(Example.order(), at: Self.end - 1).order.state == .offered)
        #expect(throws: DeliveryError.orderOver([])) { try offer(Example.order(), at: Self.end) }
        let elsewhere = Example.order { $0.from[0].restaurant = chemicum }
        #expect(throws: DeliveryError.orderOver([.change, .cancel])) { try offer(elsewhere, at: noon) }
    }

    /// Every state, everybody, everything that may happen.
    @Test func what_does_not_stand_in_it_changes_nothing() {
        func stands(_ state: OrderState, _ who: OrderParty, _ act: OrderAct? = nil) -> Bool {
            OrderRule.table.contains { $0.state == state && $0.who == who && $0.act == act }
        }
        for state in OrderState.allCases {
            let order = Example.order(state)
            for act in OrderAct.allCases where !stands(state, .orderer, act) {
                #expect(throws: DeliveryError.orderOver(order.possible(for: tom, at: noon))) {
                    try self.act(act, order, at: noon)
                }
            }
            if !stands(state, .time) { #expect(order.pass(at: .distantFuture) == nil && order.dueAt == nil) }
            if !stands(state, .community) { #expect(order.callOff(nil, at: noon) == nil) }
            if !stands(state, .match) {
                for match in MatchState.allCases { #expect(order.follow(Example.match(match), at: noon) == nil) }
            }
        }
    }

    @Test func what_is_on_its_way_leaves_the_order_as_it_is() {
        for state in [MatchState.accepted, .pickedUp, .delivered, .received, .disputed] {
            #expect(Example.order(.matched).follow(Example.match(state), at: noon) == nil)
        }
        for state in [MatchState.offered, .pickedUp, .disputed, .completed, .settled, .lapsed] {
            #expect(Example.order(.offered).follow(Example.match(state), at: noon) == nil)
        }
    }

    @Test func the_readme_says_the_same() throws {
        let said = try Readme.rows(under: "An order", cells: 6).filter { OrderState(rawValue: $0[0]) != nil }
        let real = OrderRule.table.map {
            [
                $0.state.rawValue, $0.who.rawValue, $0.act?.rawValue ?? "", "\($0.condition)", $0.next.rawValue,
                $0.hasLapsed ? "orderLapsed" : "",
            ]
        }
        #expect(said == real)
    }

    // MARK: What else follows

    @Test func the_only_one_who_was_to_be_asked_is_asked_no_more() throws {
        let asked = Example.order(.offered) { $0.asked = Example.availability().id }
        let asking = try #require(asked.follow(Example.match(.declined), at: noon)).order
        #expect(asking.state == .asking && asking.asked == nil)
        var rolling = asked
        rolling.rollsOn = true
        let waiting = try #require(rolling.follow(Example.match(.declined), at: noon)).order
        #expect(waiting.state == .waiting && waiting.asked == nil)
        let accepted = try #require(asked.follow(Example.match(.accepted), at: noon)).order
        #expect(accepted.asked == asked.asked, "who may give it back, and then the orderer is asked")
    }

    @Test func a_raised_limit_is_the_orders_too() throws {
        let raised = Example.match(.accepted) { $0.terms.limit = euros(1500) }
        let after = try #require(Example.order(.matched).follow(raised, at: noon))
        #expect(after.order.terms.limit == euros(1500) && after.order.state == .matched)
        #expect(Example.order(.offered).follow(Example.match(.offered), at: noon) == nil)
    }

    @Test func who_cancels_takes_back_what_is_offered() throws {
        let decision = try Example.order(.offered).cancel(Example.match(), at: noon)
        #expect(decision.match?.match.state == .withdrawn && decision.match?.by == tom)
        let late = try Example.order(.offered).cancel(Example.match(), at: after(minutes: 1))
        #expect(late.order.state == .cancelled && late.match?.told == .expired)
        let called = try #require(Example.order(.offered).callOff(Example.match(), at: noon))
        #expect(called.match?.match.state == .withdrawn && called.match?.by == tom)
        #expect(called.match?.match.comesBack == false)
    }

    /// What is due is due, whether or not the rounds came by.
    @Test func an_order_is_as_it_is_by_now() {
        let (order, matches) = Example.order(.offered).asItIs([Example.match()], at: after(minutes: 1))
        #expect(order.state == .waiting && matches.map(\.state) == [.expired])
        #expect(Example.order(.offered).asItIs([Example.match()], at: after(minutes: 1) - 1).order.state == .offered)
        #expect(Example.order(.offered).asItIs([Example.match()], at: Self.end).order.state == .lapsed)
        #expect(Example.order().asItIs([], at: Self.end).order.state == .lapsed)
    }
}
