import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

extension PostgresNoticeBook {
    /// What people are told is what the services say, each in the transaction that takes note of it.
    ///
    /// An event that comes anew tells nobody anything: its notice stands there with the same `latest`. Those that follow one another are taken
    /// together: reminders of what begins at midnight are thousands.
    func follow(_ community: Community, on consumer: DurableConsumer) {
        // Whose notices are seen follows from the table of suspensions, at each look.
        community.follow(
            on: consumer,
            erase: { person, transaction in
                let devices = try await PostgresDeviceStore.erase(person, in: transaction)
                return (try await erase(person, in: transaction) + [devices].filter { $0.count > 0 }, [])
            }, left: { try await settleDisputes(for: $0, in: $1) })
        let spots = [Self.earlier(ClaimChanged.self), Self.earlier(EncounterCompleted.self)]
        let rentals = [
            Self.earlier(RentalRequested.self), Self.earlier(RentalAnswered.self), Self.earlier(RentalChanged.self),
            Self.earlier(RentalReminder.self),
        ]
        let friends = [
            Self.earlier(FriendAsked.self), Self.earlier(FriendshipBegan.self), Self.earlier(FriendQuestionEnded.self),
        ]
        let reviews = [
            Self.earlier(ReviewWritten.self), Self.earlier(ReviewPublished.self), Self.earlier(ReviewReplied.self),
        ]
        let notices = [Self.earlier(NoticeGiven.self), Self.earlier(NoticeRead.self)]
        let messages = [
            Self.earlier(MessageSent.self), Self.earlier(MessagesRead.self), Self.earlier(MessageHidden.self),
        ]
        let earlier: [PeerRole: [EventReading<[NoticeNews]>]] = [
            .auth: friends + reviews + notices, .chat: messages, .listings: spots + rentals,
        ]
        for publisher in Capability.notices.services { follow(publisher, earlier[publisher] ?? [], on: consumer) }
    }

    private func follow(
        _ publisher: PeerRole, _ earlier: [EventReading<[NoticeNews]>], on consumer: DurableConsumer
    ) {
        let news = [
            EventReading(NoticeRaised.self) { event, _ in [NoticeNews.raised(event)] },
            EventReading(NoticeSettled.self) { event, _ in [NoticeNews.settled(event)] },
            EventReading(NoticeRecounted.self) { event, _ in [NoticeNews.recounted(event)] },
        ]
        consumer.on(runsOf: news + earlier, from: publisher.rawValue) { news, transaction in
            try await apply(news.flatMap { $0 }, in: transaction)
        }
    }

    /// An event of a service that did not say yet what follows from it, and may wait in its outbox: it is read as that service would say it now.
    private static func earlier<E: Event>(_ type: E.Type) -> EventReading<[NoticeNews]> {
        EventReading(type, where: { $0.told != true }) { event, header in event.notices(at: header.occurredAt) }
    }
}
