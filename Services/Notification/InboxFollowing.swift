import DurableMessaging
import People
import Postgres
import WireProtocol

extension PostgresNoticeBook {
    /// What people are told follows from what the services say, each in the transaction that takes note of it.
    ///
    /// An event that comes anew tells nobody anything: its notice stands there with the same `latest`.
    func follow(on consumer: DurableConsumer) {
        let (auth, listings, chat) = (PeerRole.auth.rawValue, PeerRole.listings.rawValue, PeerRole.chat.rawValue)
        PeopleErasure.follow(on: consumer) { person, transaction in
            let devices = try await PostgresDeviceStore.erase(person, in: transaction)
            return (try await erase(person, in: transaction) + [devices].filter { $0.count > 0 }, [])
        }
        consumer.on(MessageSent.self, from: chat) { event, _, transaction in
            try await apply(Telling(event), in: transaction)
        }
        consumer.on(MessagesRead.self, from: chat) { event, _, transaction in
            try await follow(event, in: transaction)
        }
        consumer.on(ClaimChanged.self, from: listings) { event, header, transaction in
            try await apply(Telling(event, at: header.occurredAt), in: transaction)
        }
        consumer.on(EncounterCompleted.self, from: listings) { event, _, transaction in
            try await apply(Telling(event), in: transaction)
        }
        consumer.on(RentalRequested.self, from: listings) { event, header, transaction in
            try await apply(Telling(event, at: header.occurredAt), in: transaction)
        }
        consumer.on(RentalAnswered.self, from: listings) { event, header, transaction in
            try await apply(Telling(event, at: header.occurredAt), in: transaction)
        }
        consumer.on(RentalChanged.self, from: listings) { event, header, transaction in
            try await apply(Telling(event, at: header.occurredAt), in: transaction)
        }
        consumer.on(RentalReminder.self, from: listings) { event, header, transaction in
            try await apply(Telling(event, at: header.occurredAt), in: transaction)
        }
        consumer.on(FriendAsked.self, from: auth) { event, header, transaction in
            try await apply(Telling(event, at: header.occurredAt), in: transaction)
        }
        consumer.on(FriendshipBegan.self, from: auth) { event, header, transaction in
            try await apply(Telling(event, at: header.occurredAt), in: transaction)
        }
        consumer.on(ReviewWritten.self, from: auth) { event, header, transaction in
            try await apply(Telling(event, at: header.occurredAt), in: transaction)
        }
        consumer.on(ReviewPublished.self, from: auth) { event, header, transaction in
            try await apply(Telling(event, at: header.occurredAt), in: transaction)
        }
        consumer.on(ReviewReplied.self, from: auth) { event, _, transaction in
            try await apply(Telling(event), in: transaction)
        }
        consumer.on(NoticeGiven.self, from: auth) { event, header, transaction in
            try await apply(Telling(event, at: header.occurredAt), in: transaction)
        }
        consumer.on(NoticeRead.self, from: auth) { event, _, transaction in
            try await apply(Telling(event), in: transaction)
        }
    }
}
