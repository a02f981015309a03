import Foundation
import TestKit
import WireProtocol

/// What people were told, by the events of which they had to be told and by the rows of their inboxes: each thing once to each of them, whatever
/// died meanwhile, and read where they have seen to it. Written from the table in `Services/Notification/README.md`. Pure.
///
/// Reminders are left out: they come by themselves. So does the end of an offer that nobody answers; its event says that its notice is read.
struct NoticeHistory {
    struct Row: Decodable {
        var id: InboxNoticeID
        var person: PersonID
        var kind: InboxNoticeKind
        var subject: UUID
        var actor: PersonID?
        var latest: Int64
        var read: Bool

        var key: Key {
            Key(person: person, kind: kind, subject: subject, other: kind == .reviewPossible ? actor : nil)
        }
    }

    /// Of each there is one row.
    struct Key: Hashable, CustomStringConvertible {
        var person: PersonID
        var kind: InboxNoticeKind
        var subject: UUID
        /// Whom they may review: of one spot there are several in the course of time.
        var other: PersonID?
        var description: String {
            "\(kind.rawValue) of \(ID<Key>(subject))\(other.map { " with \($0)" } ?? "") for \(person)"
        }
    }

    private struct Due {
        /// Of the last event, or the number of the last message.
        var latest: Int64
        /// How often it was said on the live stream; of messages at the most, for they wait and are counted together.
        var times = 1
        var isRead = false
    }

    private static let kinds: Set<InboxNoticeKind> = [
        .message, .spotClaimed, .spotReleased, .reviewPossible, .rentalRequested, .rentalAnswered, .rentalChanged,
        .seatRequested, .seatAnswered, .seatChanged, .matchOffered, .matchChanged,
    ]

    let notices: [Row]
    let listings: [PublishedEvent]
    let rides: [PublishedEvent]
    let matching: [PublishedEvent]
    let chat: [PublishedEvent]
    /// What notification said on the live streams.
    let said: [PublishedEvent]

    func findings() -> [Finding] {
        let due = due()
        let said = Dictionary(grouping: said.compactMap { $0.decoded(as: Noticed.self)?.notice }) { $0 }
        let rows = Dictionary(grouping: notices.filter { Self.kinds.contains($0.kind) }, by: \.key)
        var findings = rows.keys.filter { due[$0] == nil }.map { Finding(.doubled, "nothing happened to tell \($0)") }
        for (key, due) in due {
            guard let found = rows[key], let row = found.first else {
                findings.append(Finding(.lost, "\(key) was never told"))
                continue
            }
            if found.count > 1 { findings.append(Finding(.doubled, "\(key) is there \(found.count) times")) }
            if row.latest != due.latest || row.read != due.isRead {
                findings.append(
                    Finding(
                        .rowsDiffer,
                        "\(key) is of \(row.latest), read: \(row.read), and it was \(due.latest), \(due.isRead)"))
            }
            let times = said[row.id]?.count ?? 0
            if times > due.times {
                findings.append(Finding(.doubled, "\(key) was said \(times) times, not \(due.times)"))
            }
            if times < due.times, key.kind != .message {
                findings.append(Finding(.lost, "\(key) was said \(times) times, not \(due.times)"))
            }
        }
        return findings
    }

    // MARK: What had to be told

    private func due() -> [Key: Due] {
        var due: [Key: Due] = [:]
        for event in inOrder(listings) + inOrder(rides) + inOrder(matching) { take(event, &due) }
        for event in inOrder(chat) {
            if let sent = event.decoded(as: MessageSent.self), event.type == MessageSent.type {
                tell(sent.to, .message, sent.message.room.uuid, Int64(sent.message.number), &due)
            } else if let read = event.decoded(as: MessagesRead.self), event.type == MessagesRead.type {
                let key = Key(person: read.by, kind: .message, subject: read.room.uuid)
                if let last = due[key]?.latest, last <= Int64(read.marks.read) { due[key]?.isRead = true }
            }
        }
        return due
    }

    private func inOrder(_ events: [PublishedEvent]) -> [PublishedEvent] {
        events.sorted { $0.position ?? .max < $1.position ?? .max }
    }

    private func take(_ event: PublishedEvent, _ due: inout [Key: Due]) {
        let moment = Int64((event.header.occurredAt.timeIntervalSince1970 * 1000).rounded())
        if let news = event.rental { return take(news, event.type, moment, &due) }
        if let news = event.seat { return take(news, event, moment, &due) }
        if let offer = event.newMatch {
            return tell(offer.deliverer.id, .matchOffered, offer.id.uuid, moment, &due)
        }
        if let update = event.matchUpdate { return take(update, moment, &due) }
        switch event.type {
        case ClaimChanged.type:
            guard let claim = event.decoded(as: ClaimChanged.self) else { return }
            let spot = claim.spot.uuid
            let outdated: InboxNoticeKind = claim.change == .made ? .spotReleased : .spotClaimed
            due[Key(person: claim.owner, kind: outdated, subject: spot)]?.isRead = true
            tell(claim.owner, claim.change == .made ? .spotClaimed : .spotReleased, spot, moment, &due)
        case EncounterCompleted.type:
            guard let met = event.decoded(as: EncounterCompleted.self) else { return }
            let at = Int64((met.completedAt.timeIntervalSince1970 * 1000).rounded())
            for person in met.people {
                let other = met.people.first { $0 != person }
                tell(person, .reviewPossible, met.subject.id.uuid, of: other, at, &due)
            }
        default: break
        }
    }

    /// Who asks is told the answer, the other one is asked, and each hears what the other one, or time, does; what one was told of an earlier
    /// state is read by then, and all of it by who does something.
    private func take(_ news: RentalNews, _ type: String, _ moment: Int64, _ due: inout [Key: Due]) {
        let (owner, renter, rental) = (news.owner.id, news.renter.id, news.id.uuid)
        guard type != RentalRequested.type else { return tell(owner, .rentalRequested, rental, moment, &due) }
        let isAnswer = type == RentalAnswered.type && news.state != .cancelled
        // Of what is let at once its renter knows.
        if isAnswer, news.state == .accepted, news.by == nil { return }
        for person in [owner, renter] {
            for kind in [InboxNoticeKind.rentalRequested, .rentalAnswered] {
                due[Key(person: person, kind: kind, subject: rental)]?.isRead = true
            }
        }
        if let person = news.by { due[Key(person: person, kind: .rentalChanged, subject: rental)]?.isRead = true }
        for person in isAnswer ? [renter] : [owner, renter] where person != news.by {
            tell(person, isAnswer ? .rentalAnswered : .rentalChanged, rental, moment, &due)
        }
    }

    /// The same of a seat. Its driver knows what became of their ride; and who is let in from the list after a look is asked about. What is asked for
    /// and answered there and back is told of the way there. A seat that came free is told after what made room in the same moment.
    private func take(_ news: SeatNews, _ event: PublishedEvent, _ moment: Int64, _ due: inout [Key: Due]) {
        let (driver, rider, seat) = (news.driver.id, news.rider.id, news.id.uuid)
        let what = event.seatChange
        let isToldOfTheWayThere = news.together != nil && news.isReturn && (what == nil || what == .withdrawn)
        if event.type == SeatRequested.type {
            if !isToldOfTheWayThere { tell(driver, .seatRequested, seat, moment, &due) }
            return
        }
        for person in [driver, rider] {
            for kind in [InboxNoticeKind.seatRequested, .seatAnswered] {
                due[Key(person: person, kind: kind, subject: seat)]?.isRead = true
            }
        }
        if let person = news.by { due[Key(person: person, kind: .seatChanged, subject: seat)]?.isRead = true }
        if isToldOfTheWayThere { return }
        guard let what else {
            if news.by != rider { tell(rider, .seatAnswered, seat, moment, &due) }
            return
        }
        let moment = what == .promoted ? moment + 1 : moment
        let isAsked = what == .promoted && news.state == .pending
        if isAsked { tell(driver, .seatRequested, seat, moment, &due) }
        let isOfRide = [.rideChanged, .rideMoved, .rideRemoved, .departed, .completed].contains(what)
        for person in isAsked || isOfRide ? [rider] : [driver, rider] where person != news.by {
            tell(person, .seatChanged, seat, moment, &due)
        }
    }

    /// Whatever became of an offer, it asks nobody any more. Of a delivery each hears what the other one, or time, does; what became of offers that
    /// came to nothing, and what an order is answered with, is left out.
    private func take(_ update: MatchUpdate, _ moment: Int64, _ due: inout [Key: Due]) {
        let (match, both) = (update.match.id.uuid, [update.match.orderer.id, update.match.deliverer.id])
        for person in both { due[Key(person: person, kind: .matchOffered, subject: match)]?.isRead = true }
        let quiet: Set<MatchUpdate.Change> = [.accepted, .declined, .expired, .withdrawn, .shared, .hidden]
        guard !quiet.contains(update.what) else { return }
        for person in both where person != update.match.by { tell(person, .matchChanged, match, moment, &due) }
    }

    /// What is not later than what was told is the same again.
    private func tell(
        _ person: PersonID, _ kind: InboxNoticeKind, _ subject: UUID, of other: PersonID? = nil, _ latest: Int64,
        _ due: inout [Key: Due]
    ) {
        let key = Key(person: person, kind: kind, subject: subject, other: other)
        guard let before = due[key] else { return due[key] = Due(latest: latest) }
        if latest > before.latest { due[key] = Due(latest: latest, times: before.times + 1) }
    }
}
