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
    /// An event that comes anew tells nobody anything: its notice stands there with the same `latest`. Those that follow one another are taken
    /// together: reminders of what begins at midnight are thousands.
    func follow(_ community: Community, on consumer: DurableConsumer) {
        let (auth, listings, chat) = (PeerRole.auth.rawValue, PeerRole.listings.rawValue, PeerRole.chat.rawValue)
        // Whose notices are seen follows from the table of suspensions, at each look.
        community.follow(
            on: consumer,
            erase: { person, transaction in
                let devices = try await PostgresDeviceStore.erase(person, in: transaction)
                return (try await erase(person, in: transaction) + [devices].filter { $0.count > 0 }, [])
            }, left: { try await settleDisputes(for: $0, in: $1) })
        tell(of: [EventReading(MessageSent.self) { event, _ in Telling(event) }], from: chat, on: consumer)
        consumer.on(MessagesRead.self, from: chat) { event, _, transaction in
            try await follow(event, in: transaction)
        }
        consumer.on(MessageHidden.self, from: chat) { event, _, transaction in
            try await follow(event, in: transaction)
        }
        tell(
            of: [
                EventReading(ClaimChanged.self) { Telling($0, at: $1.occurredAt) },
                EventReading(EncounterCompleted.self) { event, _ in Telling(event) },
                EventReading(RentalRequested.self) { Telling($0, at: $1.occurredAt) },
                EventReading(RentalAnswered.self) { Telling($0, at: $1.occurredAt) },
                EventReading(RentalChanged.self) { Telling($0, at: $1.occurredAt) },
                EventReading(RentalReminder.self) { Telling($0, at: $1.occurredAt) },
            ], from: listings, on: consumer)
        tell(
            of: [
                EventReading(FriendAsked.self) { Telling($0, at: $1.occurredAt) },
                EventReading(FriendshipBegan.self) { Telling($0, at: $1.occurredAt) },
                EventReading(FriendQuestionEnded.self) { event, _ in Telling(event) },
                EventReading(ReviewWritten.self) { Telling($0, at: $1.occurredAt) },
                EventReading(ReviewPublished.self) { Telling($0, at: $1.occurredAt) },
                EventReading(ReviewReplied.self) { event, _ in Telling(event) },
                EventReading(NoticeGiven.self) { Telling($0, at: $1.occurredAt) },
                EventReading(NoticeRead.self) { event, _ in Telling(event) },
            ], from: auth, on: consumer)
    }

    private func tell(of readings: [EventReading<Telling>], from publisher: String, on consumer: DurableConsumer) {
        consumer.on(runsOf: readings, from: publisher) { try await apply($0, in: $1) }
    }
}
