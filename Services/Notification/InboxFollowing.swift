import DurableMessaging
import People
import Postgres
import WireProtocol

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
        consumer.on(runsOf: MessageSent.self, from: chat) { events, transaction in
            try await apply(events.map { Telling($0.event) }, in: transaction)
        }
        consumer.on(MessagesRead.self, from: chat) { event, _, transaction in
            try await follow(event, in: transaction)
        }
        consumer.on(MessageHidden.self, from: chat) { event, _, transaction in
            try await follow(event, in: transaction)
        }
        consumer.on(runsOf: ClaimChanged.self, from: listings) { events, transaction in
            try await apply(events.map { Telling($0.event, at: $0.header.occurredAt) }, in: transaction)
        }
        consumer.on(runsOf: EncounterCompleted.self, from: listings) { events, transaction in
            try await apply(events.map { Telling($0.event) }, in: transaction)
        }
        consumer.on(runsOf: RentalRequested.self, from: listings) { events, transaction in
            try await apply(events.map { Telling($0.event, at: $0.header.occurredAt) }, in: transaction)
        }
        consumer.on(runsOf: RentalAnswered.self, from: listings) { events, transaction in
            try await apply(events.map { Telling($0.event, at: $0.header.occurredAt) }, in: transaction)
        }
        consumer.on(runsOf: RentalChanged.self, from: listings) { events, transaction in
            try await apply(events.map { Telling($0.event, at: $0.header.occurredAt) }, in: transaction)
        }
        consumer.on(runsOf: RentalReminder.self, from: listings) { events, transaction in
            try await apply(events.map { Telling($0.event, at: $0.header.occurredAt) }, in: transaction)
        }
        consumer.on(runsOf: FriendAsked.self, from: auth) { events, transaction in
            try await apply(events.map { Telling($0.event, at: $0.header.occurredAt) }, in: transaction)
        }
        consumer.on(runsOf: FriendshipBegan.self, from: auth) { events, transaction in
            try await apply(events.map { Telling($0.event, at: $0.header.occurredAt) }, in: transaction)
        }
        consumer.on(runsOf: ReviewWritten.self, from: auth) { events, transaction in
            try await apply(events.map { Telling($0.event, at: $0.header.occurredAt) }, in: transaction)
        }
        consumer.on(runsOf: ReviewPublished.self, from: auth) { events, transaction in
            try await apply(events.map { Telling($0.event, at: $0.header.occurredAt) }, in: transaction)
        }
        consumer.on(runsOf: ReviewReplied.self, from: auth) { events, transaction in
            try await apply(events.map { Telling($0.event) }, in: transaction)
        }
        consumer.on(runsOf: NoticeGiven.self, from: auth) { events, transaction in
            try await apply(events.map { Telling($0.event, at: $0.header.occurredAt) }, in: transaction)
        }
        consumer.on(runsOf: NoticeRead.self, from: auth) { events, transaction in
            try await apply(events.map { Telling($0.event) }, in: transaction)
        }
    }
}
