import DurableMessaging
import People
import Postgres
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

extension PostgresNoticeBook {
    /// What people are told follows from what the services say, each in the transaction that takes note of it.
    ///
    /// An event that comes anew tells nobody anything: its notice stands there with the same `latest`. Those of a kind that follow one another
    /// are taken together: reminders of what begins at midnight are thousands.
    func follow(on consumer: DurableConsumer) {
        let (auth, listings, chat) = (PeerRole.auth.rawValue, PeerRole.listings.rawValue, PeerRole.chat.rawValue)
        PeopleErasure.follow(on: consumer) { person, transaction in
            let devices = try await PostgresDeviceStore.erase(person, in: transaction)
            return (try await erase(person, in: transaction) + [devices].filter { $0.count > 0 }, [])
        }
        tell(of: MessageSent.self, from: chat, on: consumer) { event, _ in Telling(event) }
        consumer.on(MessagesRead.self, from: chat) { event, _, transaction in
            try await follow(event, in: transaction)
        }
        consumer.on(MessageHidden.self, from: chat) { event, _, transaction in
            try await follow(event, in: transaction)
        }
        tell(of: ClaimChanged.self, from: listings, on: consumer, Telling.init(_:at:))
        tell(of: EncounterCompleted.self, from: listings, on: consumer) { event, _ in Telling(event) }
        tell(of: RentalRequested.self, from: listings, on: consumer, Telling.init(_:at:))
        tell(of: RentalAnswered.self, from: listings, on: consumer, Telling.init(_:at:))
        tell(of: RentalChanged.self, from: listings, on: consumer, Telling.init(_:at:))
        tell(of: RentalReminder.self, from: listings, on: consumer, Telling.init(_:at:))
        tell(of: FriendAsked.self, from: auth, on: consumer, Telling.init(_:at:))
        tell(of: FriendshipBegan.self, from: auth, on: consumer, Telling.init(_:at:))
        tell(of: ReviewWritten.self, from: auth, on: consumer, Telling.init(_:at:))
        tell(of: ReviewPublished.self, from: auth, on: consumer, Telling.init(_:at:))
        tell(of: ReviewReplied.self, from: auth, on: consumer) { event, _ in Telling(event) }
        tell(of: NoticeGiven.self, from: auth, on: consumer, Telling.init(_:at:))
        tell(of: NoticeRead.self, from: auth, on: consumer) { event, _ in Telling(event) }
    }

    /// - Parameter telling: what follows from an event that happened at that moment.
    private func tell<E: Event>(
        of type: E.Type, from publisher: String, on consumer: DurableConsumer,
        _ telling: @escaping @Sendable (E, Date) -> Telling
    ) {
        consumer.on(runsOf: type, from: publisher) { events, transaction in
            try await apply(events.map { telling($0.event, $0.header.occurredAt) }, in: transaction)
        }
    }
}
