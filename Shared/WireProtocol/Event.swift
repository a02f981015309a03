#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// Something that has happened, in the past tense; the payload suffices by itself.
package protocol Event: Codable, Sendable {
    /// `spotClaimed`: unique within its publisher, and the name of the event on the live stream.
    static var type: String { get }
    /// What people are to be told because of it. It is published with the event, in the same transaction.
    func notices(at moment: Date) -> [NoticeNews]
}

extension Event {
    /// Nothing.
    package func notices(at moment: Date) -> [NoticeNews] { [] }
}

/// Who may hear of an event on the live stream. Services that subscribe hear of all.
package enum Audience: Codable, Hashable, Sendable {
    case everyone
    case people(Set<PersonID>)
    /// For services only.
    case nobody

    private enum CodingKeys: CodingKey { case everyone, people, nobody }
    private enum EveryoneCodingKeys: CodingKey {}
    private enum PeopleCodingKeys: CodingKey { case _0 }
    private enum NobodyCodingKeys: CodingKey {}

    /// As the compiler would write it, but for the order of the people: a set has another one in every process.
    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        switch self {
        case .everyone: _ = container.nestedContainer(keyedBy: EveryoneCodingKeys.self, forKey: .everyone)
        case .nobody: _ = container.nestedContainer(keyedBy: NobodyCodingKeys.self, forKey: .nobody)
        case .people(let people):
            var nested = container.nestedContainer(keyedBy: PeopleCodingKeys.self, forKey: .people)
            try nested.encode(people.map(\.description).sorted(), forKey: ._0)
        }
    }
}

/// What is said about an event beside its payload.
package struct EventHeader: Codable, Hashable, Sendable {
    package var id: UUID
    package var type: String
    /// The thing it happened to, as `spot/<id>`; events of one aggregate keep their order.
    package var aggregate: String
    package var audience: Audience
    package var occurredAt: Date
    /// Where on earth it happened, for streams that are limited to a box. (Events also have a position in their stream.)
    package var location: Position?
    /// Whose thing it is, or who did it: whoever is apart from one of them (`BlockedPair`) does not hear of it. In order.
    package var concerns: [PersonID]?
    /// Where a community keeps its campuses apart, the one whose people alone hear of it: its id, or empty for those who belong to none.
    package var campus: String?
    package var trace: String?
    /// True where what people are to be told because of it was published with it. Absent of events from before that.
    package var told: Bool?

    package init(
        id: UUID, type: String, aggregate: String, audience: Audience, occurredAt: Date, location: Position? = nil,
        concerns: [PersonID]? = nil, campus: String? = nil, trace: String? = nil, told: Bool? = nil
    ) {
        self.id = id
        self.type = type
        self.aggregate = aggregate
        self.audience = audience
        self.occurredAt = occurredAt
        self.location = location
        self.concerns = concerns
        self.campus = campus
        self.trace = trace
        self.told = told
    }

    private enum CodingKeys: String, CodingKey {
        case id, type, aggregate, audience, occurredAt
        case location = "position"
        case concerns, campus, trace, told
    }
}

/// What a place in a stream may be. Beyond it is nobody who counts; near the end of `Int64` sums would overflow.
package enum StreamPosition {
    package static let limit = Int64(1) << 53
    package static let all = Int64(0)...limit
    /// Of events; 0 is before the first.
    package static let events = Int64(1)...limit
}

/// An event with its place in its publisher's stream.
package struct EventEnvelope: Hashable, Sendable {
    /// The service's name: `listings`.
    package var publisher: String
    /// Changes when the publisher's database was restored from a backup.
    package var epoch: UUID
    /// 1, 2, 3 … without gaps within an epoch, in the order of commits.
    package var position: Int64
    package var header: EventHeader
    /// JSON.
    package var payload: [UInt8]

    package init(publisher: String, epoch: UUID, position: Int64, header: EventHeader, payload: [UInt8]) {
        self.publisher = publisher
        self.epoch = epoch
        self.position = position
        self.header = header
        self.payload = payload
    }
}

/// What a service publishes, as its contract declares it: one stream, and the roles that may subscribe to it.
package struct PublishedStream: Hashable, Sendable {
    /// The service's name.
    package let publisher: String
    /// Who may hear it on the PUB socket, and ask for what was missed.
    package let subscribers: Set<PeerRole>

    package init(of publisher: String, to subscribers: Set<PeerRole>) {
        self.publisher = publisher
        self.subscribers = subscribers
    }

    /// To those who hear the service.
    package init(of service: PeerRole) { self.init(of: service.rawValue, to: service.subscribers) }

    /// What the publisher answers.
    package var methods: CommonMethods { CommonMethods(service: publisher, subscribers: subscribers) }
}

// MARK: What every publisher can be asked

/// Asks for the events after a position.
package struct EventsSince: Codable, Hashable, Sendable {
    /// Nil where the asker knows no epoch yet.
    package var epoch: UUID?
    package var position: Int64
    package var limit: Int

    package init(epoch: UUID?, position: Int64, limit: Int) {
        self.epoch = epoch
        self.position = position
        self.limit = limit
    }
}

package struct EventBatch: Codable, Sendable {
    package var epoch: UUID
    /// The last position that was given out.
    package var head: Int64
    /// Positions `since.position + 1 …`; empty where `since.epoch` is not `epoch`.
    package var events: [StoredEvent]

    package init(epoch: UUID, head: Int64, events: [StoredEvent]) {
        self.epoch = epoch
        self.head = head
        self.events = events
    }

    /// Whether its positions are such as a publisher gives out.
    package var isPlausible: Bool {
        StreamPosition.all.contains(head) && events.allSatisfy { StreamPosition.events.contains($0.position) }
    }
}

package struct StoredEvent: Codable, Sendable {
    package var position: Int64
    package var header: EventHeader
    /// The payload's JSON as text, so that its bytes stay as they are.
    package var payload: String

    package init(position: Int64, header: EventHeader, payload: String) {
        self.position = position
        self.header = header
        self.payload = payload
    }
}

/// An event that could not be handled and was set aside with the later ones of its aggregate.
package struct DeadLetter: Codable, Sendable {
    package var publisher: String
    package var epoch: UUID
    package var position: Int64
    package var header: EventHeader
    package var reason: String
    package var attempts: Int
    package var setAsideAt: Date

    package init(
        publisher: String, epoch: UUID, position: Int64, header: EventHeader, reason: String, attempts: Int,
        setAsideAt: Date
    ) {
        self.publisher = publisher
        self.epoch = epoch
        self.position = position
        self.header = header
        self.reason = reason
        self.attempts = attempts
        self.setAsideAt = setAsideAt
    }
}

/// Where a list of dead letters goes on.
package struct DeadLetterQuery: Codable, Hashable, Sendable {
    /// `next` of the page before; nil for the first.
    package var cursor: String?
    package init(cursor: String? = nil) { self.cursor = cursor }
}

package struct DeadLetterReplay: Codable, Sendable {
    /// How many were handled this time.
    package var replayed: Int
    package var remaining: Int
    package init(replayed: Int, remaining: Int) {
        self.replayed = replayed
        self.remaining = remaining
    }
}

/// Names events that were set aside and shall not be handled any more.
package struct DeadLetterSelection: Codable, Sendable {
    /// `EventHeader.id`; copies that a new epoch brought have the same.
    package var events: [UUID]
    package init(events: [UUID]) { self.events = events }
}

package struct DeadLetterDiscard: Codable, Sendable {
    /// How many were thrown away, copies included.
    package var discarded: Int
    package var remaining: Int
    package init(discarded: Int, remaining: Int) {
        self.discarded = discarded
        self.remaining = remaining
    }
}

/// The methods that every service answers, under its own name.
package struct CommonMethods: Sendable {
    package let service: String
    private let subscribers: Set<PeerRole>

    /// - Parameter subscribers: who may ask for events: `PublishedStream` says it to the service that answers. Whoever asks need not know.
    package init(service: String, subscribers: Set<PeerRole> = []) {
        self.service = service
        self.subscribers = subscribers
    }

    package var eventsSince: Method<EventsSince, Nothing, EventBatch> {
        Method("\(service).eventsSince", .query, peers: subscribers)
    }
    /// Oldest first, as many as fit into an answer.
    package var deadLetters: Method<DeadLetterQuery, Nothing, Page<DeadLetter>> {
        Method("\(service).deadLetters", .query, peers: [.operator])
    }
    package var replayDeadLetters: Method<Nothing, Nothing, DeadLetterReplay> {
        Method("\(service).replayDeadLetters", .command, peers: [.operator])
    }
    package var discardDeadLetters: Method<Nothing, DeadLetterSelection, DeadLetterDiscard> {
        Method("\(service).discardDeadLetters", .command, peers: [.operator])
    }
    /// Answered by the reactor itself, so that it tells whether that still turns.
    package var ping: Method<Nothing, Nothing, Nothing> {
        Method("\(service).ping", .query, peers: Set(PeerRole.allCases))
    }
}
