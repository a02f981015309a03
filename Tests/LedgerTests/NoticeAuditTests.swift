import Foundation
import TestKit
import Testing
import WireProtocol

/// The audit of what people are told can fail.
@Suite struct NoticeAuditTests {
    /// A request that was accepted, a claim that was given back, two messages of which the first was read alone, a seat that was left, and a delivery that
    /// was picked up.
    private struct Past {
        let owner = PersonID.new()
        let renter = PersonID.new()
        let rental = RentalID.new()
        let spot = SpotID.new()
        let room = RoomID.new()
        let seat = SeatRequestID.new()
        let match = MatchID.new()
        var listings = ServiceEvidence()
        var rides = ServiceEvidence()
        var matching = ServiceEvidence()
        var chat = ServiceEvidence()
        var notification = ServiceEvidence()
        var notices: [NoticeHistory.Row] = []

        init() throws {
            try tell(RentalRequested(rental: news(.requested, by: renter)))
            try tell(RentalAnswered(rental: news(.accepted, by: owner)))
            for change in [ClaimChanged.Change.made, .released] {
                try tell(ClaimChanged(spot: spot, name: "Spot", owner: owner, claimer: renter, change: change))
            }
            try write(1)
            try chat.publish(
                MessagesRead(room: room, by: owner, marks: RoomMarks(delivered: 1, read: 1)), about: "room/\(room)",
                to: .nobody, 2)
            try write(2)
            let moments = listings.events.map { Int64(($0.header.occurredAt.timeIntervalSince1970 * 1000).rounded()) }
            try keep(owner, .rentalRequested, rental.uuid, moments[0], isRead: true)
            try keep(renter, .rentalAnswered, rental.uuid, moments[1])
            try keep(owner, .spotClaimed, spot.uuid, moments[2], isRead: true)
            try keep(owner, .spotReleased, spot.uuid, moments[3])
            try keep(owner, .message, room.uuid, 2)
            try ride()
            try bring()
        }

        private mutating func bring() throws {
            try deliver(NewMatch(match: delivery(.offered, by: nil)))
            try deliver(MatchUpdate(match: delivery(.accepted, by: owner), what: .accepted))
            try deliver(MatchUpdate(match: delivery(.pickedUp, by: owner), what: .pickedUp))
            let moments = matching.events.map { Int64(($0.header.occurredAt.timeIntervalSince1970 * 1000).rounded()) }
            try keep(owner, .matchOffered, match.uuid, moments[0], isRead: true)
            try keep(renter, .matchChanged, match.uuid, moments[2])
        }

        mutating func deliver(_ event: some Event) throws {
            try matching.publish(event, about: "match/\(match)", to: .nobody, matching.head)
        }

        func delivery(_ state: MatchState, by person: PersonID?) -> MatchNews {
            MatchNews(
                id: match, order: .new(), state: state, orderState: .matched,
                orderer: PersonSummary(id: renter, name: "Ben"), deliverer: PersonSummary(id: owner, name: "Ada"),
                restaurant: "Canteen", dropOff: "Hall", by: person)
        }

        private mutating func ride() throws {
            try drive(SeatRequested(request: news(of: .pending, by: renter)))
            try drive(SeatAnswered(request: news(of: .accepted, by: owner)))
            try drive(SeatChanged(request: news(of: .left, by: renter), what: .left))
            let moments = rides.events.map { Int64(($0.header.occurredAt.timeIntervalSince1970 * 1000).rounded()) }
            try keep(owner, .seatRequested, seat.uuid, moments[0], isRead: true)
            try keep(renter, .seatAnswered, seat.uuid, moments[1], isRead: true)
            try keep(owner, .seatChanged, seat.uuid, moments[2])
        }

        mutating func drive(_ event: some Event) throws {
            try rides.publish(event, about: "seat/\(seat)", to: .nobody, rides.head)
        }

        func news(of state: SeatState, by person: PersonID?) -> SeatNews {
            let ride = RequestedRide(
                id: .new(), state: .open, from: "A", to: "B", departsAt: Date(), arrivesAt: Date(), zone: "UTC")
            return SeatNews(
                id: seat, ride: ride, driver: PersonSummary(id: owner, name: "Ada"),
                rider: PersonSummary(id: renter, name: "Ben"), state: state, seats: 1, boardsAt: Date(), by: person)
        }

        private mutating func tell(_ event: some Event) throws {
            try listings.publish(event, about: "rental/\(rental)", to: .nobody, listings.head)
        }

        private mutating func write(_ number: Int) throws {
            let message = Message(
                id: .new(), room: room, number: number, by: renter, text: "\(number)", photo: nil, sentAt: Date())
            let subject = Subject(kind: .person, id: ID(owner.uuid))
            try chat.publish(
                MessageSent(message: message, to: owner, subject: subject, title: nil), about: "room/\(room)",
                to: .nobody, 1)
        }

        mutating func keep(
            _ person: PersonID, _ kind: InboxNoticeKind, _ subject: UUID, _ latest: Int64, isRead: Bool = false
        ) throws {
            let row = NoticeHistory.Row(
                id: .new(), person: person, kind: kind, subject: subject, latest: latest, read: isRead)
            notices.append(row)
            try say(row)
        }

        mutating func say(_ row: NoticeHistory.Row) throws {
            try notification.publish(
                Noticed(kind: row.kind, notice: row.id, unread: 1), about: "inbox/\(row.person)",
                to: .people([row.person]), 1)
        }

        private func news(_ state: RentalState, by person: PersonID) -> RentalNews {
            RentalNews(
                id: rental, thing: .new(), kind: .space, title: "Space", owner: PersonSummary(id: owner, name: "Ada"),
                renter: PersonSummary(id: renter, name: "Ben"), state: state, from: "2026-12-01", until: "2026-12-02",
                startsAt: Date(), endsAt: Date(), by: person)
        }

        func rules() -> Set<Finding.Rule> {
            let history = NoticeHistory(
                notices: notices, listings: listings.events, rides: rides.events, matching: matching.events,
                chat: chat.events, said: notification.events)
            return Set(history.findings().map(\.rule))
        }
    }

    @Test func a_past_in_which_all_is_well_has_no_findings() throws {
        #expect(try Past().rules() == [])
    }

    @Test func what_was_never_told_is_found() throws {
        var past = try Past()
        past.notices.remove(at: 1)
        #expect(past.rules() == [.lost])
        past = try Past()
        past.notification.events.remove(at: 3)
        #expect(past.rules() == [.lost])
    }

    @Test func what_is_told_twice_or_without_a_reason_is_found() throws {
        var past = try Past()
        try past.say(past.notices[0])
        #expect(past.rules() == [.doubled])
        past = try Past()
        past.notices.append(past.notices[2])
        #expect(past.rules() == [.doubled])
        past = try Past()
        past.notices[3].subject = UUID()
        #expect(past.rules() == [.doubled, .lost])
    }

    @Test func of_what_becomes_of_a_ride_those_are_told_who_ride_along_and_not_its_driver() throws {
        var past = try Past()
        try past.drive(SeatChanged(request: past.news(of: .removed, by: nil), what: .rideRemoved))
        #expect(past.rules() == [.lost])
        let moment = Int64((past.rides.events[3].header.occurredAt.timeIntervalSince1970 * 1000).rounded())
        try past.keep(past.renter, .seatChanged, past.seat.uuid, moment)
        #expect(past.rules() == [])
    }

    @Test func what_becomes_of_a_delivery_is_told_to_who_has_not_done_it() throws {
        var past = try Past()
        try past.deliver(MatchUpdate(match: past.delivery(.received, by: past.renter), what: .received))
        #expect(past.rules() == [.lost])
        past = try Past()
        past.notices[past.notices.count - 2].read = false
        #expect(past.rules() == [.rowsDiffer], "who has accepted is asked no more")
    }

    @Test func an_offer_that_has_lapsed_asks_nobody_any_more() throws {
        var past = try Past()
        var offer = past.delivery(.offered, by: past.renter)
        offer.id = .new()
        try past.deliver(NewMatch(match: offer))
        let moment = Int64((past.matching.events[3].header.occurredAt.timeIntervalSince1970 * 1000).rounded())
        try past.keep(past.owner, .matchOffered, offer.id.uuid, moment)
        #expect(past.rules() == [])
        (offer.state, offer.by) = (.expired, nil)
        try past.deliver(MatchUpdate(match: offer, what: .expired))
        #expect(past.rules() == [.rowsDiffer])
        past.notices[past.notices.count - 1].read = true
        #expect(past.rules() == [])
    }

    @Test func what_is_read_though_nobody_saw_to_it_and_the_other_way_round_is_found() throws {
        var past = try Past()
        past.notices[4].read = true
        #expect(past.rules() == [.rowsDiffer])
        past = try Past()
        past.notices[0].read = false
        #expect(past.rules() == [.rowsDiffer])
        past = try Past()
        past.notices[4].latest = 1
        #expect(past.rules() == [.rowsDiffer])
    }
}
