import Foundation
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// Who is told what of a delivery. Maya orders, Ben brings it.
@Suite struct MatchNoticeTests {
    let maya = InboxBench.maya
    let ben = InboxBench.ben
    let kim = InboxBench.kim
    static let match = MatchID.new()
    static let order = OrderID.new()

    func news(_ state: MatchState, _ orderState: OrderState = .matched, by person: PersonID? = nil) -> MatchNews {
        MatchNews(
            id: Self.match, order: Self.order, state: state, orderState: orderState,
            orderer: PersonSummary(id: maya, name: "Maya"), deliverer: PersonSummary(id: ben, name: "Ben"),
            restaurant: "Unicafe", dropOff: "Exactum", by: person)
    }

    /// Later than all before it.
    func tell(_ bench: InboxBench, _ event: some Event) async throws {
        bench.wait(1)
        try await bench.tell(event, from: "matching")
    }

    func change(
        _ bench: InboxBench, _ what: MatchUpdate.Change, _ state: MatchState, _ orderState: OrderState = .matched,
        by person: PersonID? = nil
    ) async throws {
        try await tell(bench, MatchUpdate(match: news(state, orderState, by: person), what: what))
    }

    func unread(_ bench: InboxBench, _ person: PersonID) async throws -> [String] {
        try await bench.notices(of: person, InboxQuery(unread: true)).map {
            "\($0.kind.rawValue).\($0.variant ?? "")"
        }
    }

    @Test func who_is_asked_hears_of_it_at_once_until_they_have_answered() async throws {
        try await InboxBench.with { bench in
            try await tell(bench, NewMatch(match: news(.offered, .offered, by: maya)))
            let asked = try #require(try await bench.notices(of: ben).first)
            #expect(asked.kind == .matchOffered && asked.actor?.id == maya && asked.title == "Unicafe → Exactum")
            #expect(asked.link == "/matches/\(Self.match)" && asked.subject == Subject(Self.match))
            try await change(bench, .accepted, .accepted, by: ben)
            #expect(try await unread(bench, ben).isEmpty)
            let answer = try #require(try await bench.notices(of: maya).first)
            #expect(answer.kind == .matchAnswered && answer.variant == "accepted" && answer.actor?.id == ben)
        }
    }

    @Test(arguments: [nil, 20, 900] as [TimeInterval?])
    func a_device_is_told_of_it_as_long_as_it_can_be_accepted(_ seconds: TimeInterval?) async throws {
        try await InboxBench.with(devices: .some(of: ben)) { bench in
            let now = bench.clock.now
            var offered = news(.offered, .offered, by: maya)
            offered.expiresAt = seconds.map { now + $0 }
            try await bench.tell(NewMatch(match: offered), from: "matching")
            try await bench.rounds.push()
            let claimed = try await bench.deliveries.claimDeliveries(
                atMost: 9, besides: [], now: now, lease: now + 1)
            // As long as its kind is of use, where nobody has said how long it is.
            #expect(claimed.map(\.expiresAt) == [now + (seconds ?? 120)])
            let again = try await bench.deliveries.claimDeliveries(
                atMost: 9, besides: [], now: now + (seconds ?? 120), lease: now + 1000)
            #expect(again.isEmpty, "it can be accepted no more")
        }
    }

    @Test(arguments: [MatchUpdate.Change.declined, .expired, .withdrawn])
    func that_one_can_not_is_told_where_the_orderer_says_whom_to_ask_next(_ what: MatchUpdate.Change) async throws {
        let state = try #require(MatchState(rawValue: what.rawValue))
        let person = what == .expired ? nil : ben
        try await InboxBench.with { bench in
            try await tell(bench, NewMatch(match: news(.offered, .offered, by: maya)))
            try await change(bench, what, state, .waiting, by: person)
            for one in [maya, ben] { #expect(try await unread(bench, one).isEmpty) }
            try await change(bench, what, state, .asking, by: person)
            #expect(try await unread(bench, maya) == ["matchAnswered.\(what.rawValue)"])
            #expect(try await bench.notices(of: maya).first?.actor == nil, "nobody is named for it")
        }
    }

    @Test func the_one_who_has_not_done_it_is_told_and_both_where_time_did() async throws {
        try await InboxBench.with { bench in
            try await change(bench, .pickedUp, .pickedUp, by: ben)
            #expect(try await unread(bench, maya) == ["matchChanged.pickedUp"])
            #expect(try await unread(bench, ben).isEmpty)
            try await change(bench, .delivered, .delivered, by: ben)
            #expect(try await unread(bench, maya) == ["matchChanged.delivered"])
            try await change(bench, .completed, .completed)
            for person in [maya, ben] { #expect(try await unread(bench, person) == ["matchChanged.completed"]) }
            try await change(bench, .tipped, .completed, by: maya)
            #expect(try await unread(bench, ben) == ["matchChanged.tipped"])
        }
    }

    @Test func who_ends_it_is_not_named_and_where_they_are_is_no_news() async throws {
        try await InboxBench.with { bench in
            try await change(bench, .shared, .pickedUp, by: ben)
            #expect(try await unread(bench, maya).isEmpty)
            try await change(bench, .cancelled, .cancelled, .waiting, by: ben)
            let off = try #require(try await bench.notices(of: maya).first)
            #expect(off.variant == "cancelled" && off.actor == nil)
        }
    }

    @Test func what_is_due_is_read_when_it_is_done_and_an_order_has_one_answer() async throws {
        try await InboxBench.with { bench in
            try await tell(bench, MatchReminder(match: news(.accepted), about: .pickUp))
            #expect(try await unread(bench, ben) == ["matchDue.pickUp"])
            #expect(try await unread(bench, maya).isEmpty)
            try await change(bench, .pickedUp, .pickedUp, by: ben)
            #expect(try await unread(bench, ben).isEmpty)
            try await tell(bench, MatchReminder(match: news(.pickedUp), about: .complete))
            #expect(try await unread(bench, ben) == ["matchDue.complete"])
        }
        try await InboxBench.with { bench in
            try await change(bench, .declined, .declined, .asking, by: ben)
            try await tell(bench, OrderLapsed(order: Self.order, dropOff: "Exactum", orderer: maya))
            let lapsed = try #require(try await bench.notices(of: maya).first)
            #expect(try await unread(bench, maya) == ["orderLapsed."])
            #expect(lapsed.link == "/orders/\(Self.order)" && lapsed.title == "Exactum")
        }
    }

    @Test func who_is_there_again_is_asked_no_more_whether_they_are() async throws {
        try await InboxBench.with { bench in
            func tell(_ what: AvailabilityChanged.Change) async throws {
                let id = AvailabilityID.new()
                try await self.tell(
                    bench, AvailabilityChanged(id: id, person: ben, restaurant: "Unicafe", what: what))
            }
            for what in [AvailabilityChanged.Change.endsSoon, .paused, .ended] {
                try await tell(what)
                #expect(try await unread(bench, ben) == ["availabilityDue.\(what.rawValue)"])
            }
            #expect(try await bench.notices(of: ben).first?.link == "/deliver")
            try await tell(.began)
            #expect(try await unread(bench, ben).isEmpty)
        }
    }

    @Test func a_dispute_waits_for_a_moderator_until_it_is_settled() async throws {
        try await InboxBench.with { bench in
            try await bench.tell(RolesChanged(person: kim, roles: [.moderator]))
            try await change(bench, .disputed, .disputed, by: maya)
            try await change(bench, .explained, .disputed, by: ben)
            #expect(try await unread(bench, kim) == ["matchDisputed.disputed"])
            #expect(try await unread(bench, ben) == ["matchChanged.disputed"])
            #expect(try await unread(bench, maya) == ["matchChanged.explained"])
            try await change(bench, .settled, .settled, .completed, by: kim)
            #expect(try await unread(bench, kim).isEmpty)
            for person in [maya, ben] {
                let one = try #require(try await bench.notices(of: person).first)
                #expect(one.variant == "settled" && one.actor == nil, "moderators are not named")
            }
        }
    }

    private static let answers: Set<MatchUpdate.Change> = [.accepted, .declined, .expired, .withdrawn]
    private static let changes = MatchUpdate.Change.allCases.filter {
        !answers.contains($0) && $0 != .shared && $0 != .hidden
    }
    private static let variants: [(InboxNoticeKind, [String])] = [
        (.matchOffered, ["offered"]), (.matchAnswered, answers.map(\.rawValue).sorted()),
        (.matchChanged, changes.map(\.rawValue)), (.orderLapsed, [""]),
        (.availabilityDue, ["paused", "endsSoon", "ended"]),
        (.matchDue, MatchReminder.Occasion.allCases.map(\.rawValue)), (.matchDisputed, ["disputed"]),
    ]
    private static let said: [(InboxNoticeKind, String)] = variants.flatMap { kind, all in all.map { (kind, $0) } }

    @Test(arguments: ["en", "de"]) func each_variant_has_its_words(_ language: String) throws {
        let composer = try PushBench.composer()
        var bodies: Set<String> = []
        for (kind, variant) in Self.said {
            var notice = PushBench.notice(kind, title: "Unicafe → Exactum")
            notice.variant = variant
            let delivery = PushDelivery(
                id: UUID(), device: UUID(), person: .new(), notice: notice, unread: 1, attempts: 1, expiresAt: Date())
            let body = composer.message(for: delivery, in: language, isBrief: false).body
            #expect(body.contains("Unicafe → Exactum") && !body.contains("{"), "\(kind) \(variant)")
            bodies.insert(body)
        }
        #expect(bodies.count == Self.said.count)
    }

    @Test(arguments: ["en", "de"]) func what_is_mailed_has_words_without_a_name_or_a_place(_ language: String) throws {
        let tokens = UnsubscribeTokens(secret: Array("a secret of this test".utf8))
        let mailed = Self.said.filter { $0.0.hasMail }
        #expect(Set(mailed.map(\.0)) == [.matchChanged, .orderLapsed, .matchDisputed])
        var (subjects, texts): (Set<String>, Set<String>) = ([], [])
        for (kind, variant) in mailed {
            let line = InboxMail.Line(
                notice: .new(), kind: kind, count: 1, username: "tom", link: "/me", variant: variant)
            let order = InboxMail(
                to: "maya@example.org", language: language, person: maya, lines: [line], isDigest: false)
            let mail = try MailMessageTests.composer().message(for: order, tokens: tokens, id: UUID(), at: Date())
            subjects.insert(mail.subject)
            texts.insert(mail.text.components(separatedBy: "https://")[0])
            #expect(!mail.html.contains("{{") && mail.html.contains("</p>"))
        }
        #expect(subjects.count == mailed.count && texts.count == mailed.count)
    }
}
