import Foundation
import TestKit
import Testing
import WireProtocol

@testable import NotificationService

/// Who is told what of a seat. Ben drives, Maya rides along.
@Suite struct SeatNoticeTests {
    let maya = InboxBench.maya
    let ben = InboxBench.ben
    let kim = InboxBench.kim
    static let seat = SeatRequestID.new()

    static let wayBack = SeatRequestID.new()

    /// - Parameter isReturn: which of both ways it is about, where both are asked for.
    func news(_ state: SeatState, by person: PersonID? = nil, isReturn: Bool? = nil) -> SeatNews {
        let ride = RequestedRide(
            id: .new(), state: .open, from: "Mill", to: "Harbour", departsAt: Date() + 86_400,
            arrivesAt: Date() + 90_000, zone: "Europe/Helsinki")
        let (own, other) = isReturn == true ? (Self.wayBack, Self.seat) : (Self.seat, Self.wayBack)
        return SeatNews(
            id: own, ride: ride, driver: PersonSummary(id: ben, name: "Ben"),
            rider: PersonSummary(id: maya, name: "Maya Tan"), state: state, seats: 1, boardsAt: Date() + 86_400,
            together: isReturn == nil ? nil : other, isReturn: isReturn ?? false, by: person)
    }

    /// What somebody has not read, as `kind.variant`, the newest first.
    func unread(_ bench: InboxBench, _ person: PersonID) async throws -> [String] {
        try await bench.notices(of: person, InboxQuery(unread: true)).map {
            "\($0.kind.rawValue).\($0.variant ?? "")"
        }
    }

    func change(
        _ bench: InboxBench, _ what: SeatChanged.Change, _ state: SeatState, by person: PersonID? = nil
    ) async throws {
        bench.wait(1)
        try await bench.tell(SeatChanged(request: news(state, by: person), what: what), from: "rides")
    }

    @Test func a_request_is_told_to_whom_it_is_news_and_what_was_done_is_read() async throws {
        try await InboxBench.with { bench in
            let request = SeatRequested(request: news(.pending, by: maya))
            for _ in 0..<2 { try await bench.tell(request, from: "rides") }
            let asked = try #require(try await bench.notices(of: ben).first)
            #expect(asked.kind == .seatRequested && asked.actor?.id == maya && asked.title == "Mill → Harbour")
            #expect(asked.link == "/seats/\(Self.seat)" && asked.subject == Subject(Self.seat))
            bench.wait(1)
            try await bench.tell(SeatReminder(request: news(.pending), about: .answer), from: "rides")
            #expect(try await unread(bench, ben) == ["seatDue.answer", "seatRequested.pending"])

            bench.wait(1)
            try await bench.tell(SeatAnswered(request: news(.accepted, by: ben)), from: "rides")
            #expect(try await unread(bench, ben).isEmpty, "he has answered")
            #expect(try await unread(bench, maya) == ["seatAnswered.accepted"])
            bench.wait(1)
            try await bench.tell(SeatReminder(request: news(.accepted), about: .tomorrow), from: "rides")
            #expect(try await unread(bench, ben) == ["seatDue.tomorrow"])
            #expect(try await bench.notices(of: ben).first?.actor == nil)

            try await change(bench, .rideMoved, .accepted, by: ben)
            #expect(try await unread(bench, maya) == ["seatChanged.rideMoved"])
            try await change(bench, .kept, .accepted, by: maya)
            #expect(try await unread(bench, maya).isEmpty)
            #expect(try await unread(bench, ben) == ["seatChanged.kept"])
            try await change(bench, .left, .left, by: maya)
            let left = try #require(try await bench.notices(of: ben).first)
            #expect(left.variant == "left" && left.actor == nil, "who ends something is not named")
        }
    }

    @Test func a_driver_is_not_told_what_became_of_their_own_ride() async throws {
        try await InboxBench.with { bench in
            for (what, state) in [(SeatChanged.Change.departed, SeatState.accepted), (.completed, .rode)] {
                try await change(bench, what, state)
                #expect(try await unread(bench, maya) == ["seatChanged.\(what.rawValue)"])
                #expect(try await unread(bench, ben).isEmpty)
            }
        }
    }

    @Test func of_a_seat_that_came_free_each_is_told_their_own_part() async throws {
        try await InboxBench.with { bench in
            try await change(bench, .promoted, .accepted)
            #expect(try await unread(bench, maya) == ["seatChanged.promoted"])
            #expect(try await unread(bench, ben) == ["seatChanged.promotedFromList"])
        }
        try await InboxBench.with { bench in
            try await change(bench, .promoted, .pending)
            #expect(try await unread(bench, maya) == ["seatChanged.promotedToAsk"])
            #expect(try await unread(bench, ben) == ["seatRequested.pending"], "an answer is due, as to anybody else")
        }
    }

    @Test func of_a_change_and_the_seat_that_it_gives_the_seat_is_read() async throws {
        try await InboxBench.with { bench in
            // All three are of one moment.
            try await bench.tell(SeatChanged(request: news(.waiting, by: ben), what: .rideChanged), from: "rides")
            for _ in 0..<2 {
                try await bench.tell(SeatChanged(request: news(.accepted), what: .promoted), from: "rides")
            }
            #expect(try await unread(bench, maya) == ["seatChanged.promoted"])
            #expect(try await unread(bench, ben) == ["seatChanged.promotedFromList"])
            try await change(bench, .kept, .accepted, by: maya)
            #expect(try await unread(bench, maya).isEmpty)
            #expect(try await unread(bench, ben) == ["seatChanged.kept"])
        }
    }

    @Test func who_got_a_seat_elsewhere_is_told_which_request_that_ended() async throws {
        try await InboxBench.with { bench in
            try await bench.tell(SeatRequested(request: news(.pending, by: maya)), from: "rides")
            try await change(bench, .withdrawn, .withdrawn)
            #expect(try await unread(bench, ben) == ["seatChanged.withdrawn"])
            #expect(try await unread(bench, maya) == ["seatChanged.seatElsewhere"])
        }
        try await InboxBench.with { bench in
            try await bench.tell(SeatRequested(request: news(.pending, by: maya)), from: "rides")
            try await change(bench, .withdrawn, .withdrawn, by: maya)
            #expect(try await unread(bench, ben) == ["seatChanged.withdrawn"])
            #expect(try await unread(bench, maya).isEmpty, "she did it herself")
        }
    }

    @Test(arguments: [SeatState.accepted, .rejected, .expired])
    func both_ways_are_asked_for_and_answered_in_one_notice(_ answer: SeatState) async throws {
        try await InboxBench.with { bench in
            func both(_ event: (SeatNews) -> any Event, _ state: SeatState, by person: PersonID?) async throws {
                bench.wait(1)
                for isReturn in [false, true] {
                    try await bench.tell(event(news(state, by: person, isReturn: isReturn)), from: "rides")
                }
            }
            try await both({ SeatRequested(request: $0) }, .pending, by: maya)
            #expect(try await unread(bench, ben) == ["seatRequested.pendingBoth"])
            try await both({ SeatReminder(request: $0, about: .answer) }, .pending, by: nil)
            #expect(try await unread(bench, ben) == ["seatDue.answer", "seatRequested.pendingBoth"])
            try await both({ SeatAnswered(request: $0) }, answer, by: answer == .expired ? nil : ben)
            #expect(try await unread(bench, ben).isEmpty)
            #expect(try await unread(bench, maya) == ["seatAnswered.\(answer.rawValue)Both"])
        }
    }

    @Test func a_way_back_tells_by_itself_what_becomes_of_it_alone() async throws {
        try await InboxBench.with { bench in
            func tell(_ what: SeatChanged.Change, _ state: SeatState, by person: PersonID?) async throws {
                bench.wait(1)
                let change = SeatChanged(request: news(state, by: person, isReturn: true), what: what)
                try await bench.tell(change, from: "rides")
            }
            try await tell(.rideChanged, .pending, by: ben)
            #expect(try await unread(bench, maya) == ["seatChanged.rideChanged"])
            try await tell(.left, .left, by: maya)
            #expect(try await unread(bench, ben) == ["seatChanged.left"])
        }
        try await InboxBench.with { bench in
            for isReturn in [false, true] {
                let request = news(.withdrawn, by: maya, isReturn: isReturn)
                try await bench.tell(SeatChanged(request: request, what: .withdrawn), from: "rides")
            }
            #expect(try await unread(bench, ben) == ["seatChanged.withdrawnBoth"])
        }
    }

    @Test func what_is_given_at_once_is_told_to_the_driver_alone() async throws {
        try await InboxBench.with { bench in
            try await bench.tell(SeatRequested(request: news(.accepted, by: maya)), from: "rides")
            try await bench.tell(SeatAnswered(request: news(.accepted)), from: "rides")
            #expect(try await unread(bench, ben) == ["seatRequested.accepted"])
            #expect(try await unread(bench, maya).isEmpty)
        }
    }

    @Test func a_dispute_waits_for_a_moderator_until_it_is_settled() async throws {
        try await InboxBench.with { bench in
            try await bench.tell(RolesChanged(person: kim, roles: [.moderator]))
            try await change(bench, .noShow, .noShow, by: ben)
            try await change(bench, .disputed, .disputed, by: maya)
            #expect(try await unread(bench, kim) == ["seatDisputed.disputed"])
            #expect(try await unread(bench, ben) == ["seatChanged.disputed"])
            try await change(bench, .settled, .settled, by: kim)
            #expect(try await unread(bench, kim).isEmpty)
            for person in [maya, ben] {
                let one = try #require(try await bench.notices(of: person).first)
                #expect(one.variant == "settled" && one.actor == nil, "moderators are not named")
            }
        }
    }

    private static let changes =
        SeatChanged.Change.allCases.map(\.rawValue) + [
            "promotedFromList", "promotedToAsk", "seatElsewhere", "seatElsewhereBoth", "withdrawnBoth",
        ]
    private static let variants: [(InboxNoticeKind, [String])] = [
        (.seatRequested, ["pending", "pendingBoth", "waiting", "accepted", "acceptedBoth"]),
        (.seatAnswered, ["accepted", "acceptedBoth", "rejected", "rejectedBoth", "expired", "expiredBoth"]),
        (.seatChanged, changes), (.seatDue, SeatReminder.Occasion.allCases.map(\.rawValue)),
        (.seatDisputed, ["disputed"]),
    ]
    private static let said: [(InboxNoticeKind, String)] = variants.flatMap { kind, all in all.map { (kind, $0) } }

    @Test(arguments: ["en", "de"]) func each_variant_has_its_words(_ language: String) throws {
        let tokens = UnsubscribeTokens(secret: Array("a secret of this test".utf8))
        let composer = try PushBench.composer()
        var (subjects, texts, bodies): (Set<String>, Set<String>, Set<String>) = ([], [], [])
        for (kind, variant) in Self.said {
            let line = InboxMail.Line(
                notice: .new(), kind: kind, count: 1, username: "tom", link: "/me", variant: variant)
            let order = InboxMail(
                to: "maya@example.org", language: language, person: maya, lines: [line], isDigest: false)
            let mail = try MailMessageTests.composer().message(for: order, tokens: tokens, id: UUID(), at: Date())
            subjects.insert(mail.subject)
            texts.insert(mail.text.components(separatedBy: "https://")[0])
            #expect(!mail.html.contains("{{") && mail.html.contains("</p>"))
            var notice = PushBench.notice(kind, title: "Mill → Harbour")
            notice.variant = variant
            let delivery = PushDelivery(
                id: UUID(), device: UUID(), person: .new(), notice: notice, unread: 1, attempts: 1, expiresAt: Date())
            let body = composer.message(for: delivery, in: language, isBrief: false).body
            #expect(body.contains("Mill → Harbour") && !body.contains("{"), "\(kind) \(variant)")
            bodies.insert(body)
        }
        #expect(subjects.count == Self.said.count && texts.count == Self.said.count && bodies.count == Self.said.count)
    }
}
