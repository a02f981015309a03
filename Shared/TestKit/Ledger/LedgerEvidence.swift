package import FoundationEssentials
package import Messaging
package import WireProtocol

/// An event as it stands in its publisher's outbox.
package struct PublishedEvent: Hashable, Sendable {
    /// Its place among the inserted.
    package var number: Int64
    /// Its place in the stream; nil until the sequencer has come by.
    package var position: Int64?
    /// When its transaction began, in microseconds: what the same transaction wrote elsewhere bears the same mark.
    package var mark: Int64
    package var header: EventHeader
    /// JSON, as all subscribers get it.
    package var payload: String

    package init(number: Int64, position: Int64?, mark: Int64, header: EventHeader, payload: String) {
        self.number = number
        self.position = position
        self.mark = mark
        self.header = header
        self.payload = payload
    }

    package var aggregate: String { header.aggregate }
    package var type: String { header.type }
    /// Whether it follows from the event before it: it says what people are told because of that, or that searches are to look again.
    package var isNotice: Bool { NoticeNews.types.contains(type) || type == SearchableChanged.type }

    /// The payload as what it says that it is, or nil.
    package func decoded<Value: Decodable>(as type: Value.Type = Value.self) -> Value? {
        try? WireJSON.decode(type, from: Array(payload.utf8))
    }
}

/// What one service has in its schema.
package struct ServiceEvidence: Sendable {
    package var epoch: UUID
    package var head: Int64
    package var floor: Int64
    /// In the order of their insertion.
    package var events: [PublishedEvent]
    /// The commands that were answered: their ids, and the marks of their transactions.
    package var requests: [UUID: Int64]
    /// How far it came with the streams of others.
    package var offsets: [String: StreamOffset]
    package var deadLetters: Int

    package init(
        epoch: UUID = UUID(), head: Int64 = 0, floor: Int64 = 0, events: [PublishedEvent] = [],
        requests: [UUID: Int64] = [:], offsets: [String: StreamOffset] = [:], deadLetters: Int = 0
    ) {
        self.epoch = epoch
        self.head = head
        self.floor = floor
        self.events = events
        self.requests = requests
        self.offsets = offsets
        self.deadLetters = deadLetters
    }

    /// Whether one who stands there has taken all that it published. Of a stream in which there is nothing nobody keeps a place.
    func isTaken(by offset: StreamOffset?) -> Bool {
        offset == StreamOffset(epoch: epoch, position: head) || offset == nil && head == 0
    }
}

/// One change that a subscriber made to a table, as a trigger wrote it down in the same transaction.
package struct TappedChange: Sendable {
    package var transaction: Int64
    /// `listings.offsets`, `listings.people` …
    package var table: String
    /// The row before and after, as JSON; nil where there was or is none.
    package var old: String?
    package var new: String?

    package init(transaction: Int64, table: String, old: String?, new: String?) {
        self.transaction = transaction
        self.table = table
        self.old = old
        self.new = new
    }
}

/// What someone heard on the live stream, in its order.
package struct HeardStream: Sendable {
    package struct Message: Hashable, Sendable {
        package var type: String
        package var payload: String
        package init(type: String, payload: String) {
            self.type = type
            self.payload = payload
        }
    }

    package var listener: String
    /// Who that is, to whom more is told than to everybody.
    package var person: PersonID?
    package var messages: [Message]
    /// How far each publisher was when it was sure that they hear; what came after that has to be heard, of others from the first event on.
    package var since: [String: Int64]
    /// Why it ended, where it did.
    package var end: String?

    package init(
        listener: String, person: PersonID? = nil, messages: [Message], since: [String: Int64] = [:],
        end: String? = nil
    ) {
        self.listener = listener
        self.person = person
        self.messages = messages
        self.since = since
        self.end = end
    }
}

/// Everything that the audit looks at. A value, so that tests can make one up.
package struct LedgerEvidence: Sendable {
    package var ledger: [LedgerEntry]
    package var services: [String: ServiceEvidence]
    /// Who subscribes durably to whom.
    package var subscriptions: [(subscriber: String, publisher: String)]
    /// In the order of time.
    package var taps: [TappedChange]
    package var heard: [HeardStream]
    /// JSON of the rows that subjects ask for, by their names.
    package var rows: [String: [String]]
    /// The service that was restored from an older backup, if one was.
    package var restored: String?

    package init(
        ledger: [LedgerEntry], services: [String: ServiceEvidence],
        subscriptions: [(subscriber: String, publisher: String)] = [], taps: [TappedChange] = [],
        heard: [HeardStream] = [], rows: [String: [String]] = [:]
    ) {
        self.ledger = ledger
        self.services = services
        self.subscriptions = subscriptions
        self.taps = taps
        self.heard = heard
        self.rows = rows
    }

    package func rows<Row: Decodable>(_ name: String, as type: Row.Type = Row.self) throws -> [Row] {
        try rows[name, default: []].map { try WireJSON.decode(type, from: Array($0.utf8)) }
    }
}

/// Something that must not be.
package struct Finding: Hashable, Sendable, CustomStringConvertible {
    package enum Rule: String, Hashable, Sendable {
        /// Acknowledged, and not in effect.
        case lost
        /// In effect more than once, or without being asked for.
        case doubled
        /// A part of the effect is there, and a part is not.
        case halfDone
        /// Refused, and in effect.
        case doneThoughRefused
        /// No answer at all.
        case stuck
        /// Positions are missing from a stream, or events from what someone heard of it.
        case gap
        /// Events are not in the order of what happened.
        case disorder
        /// Somebody heard what was not for them.
        case overheard
        /// A subscriber is behind, or has applied an event not once.
        case notAppliedOnce
        /// An event was set aside.
        case deadLetter
        /// Rows say something else than the events about them.
        case rowsDiffer
    }

    package var rule: Rule
    package var text: String

    package init(_ rule: Rule, _ text: String) {
        self.rule = rule
        self.text = text
    }

    package var description: String { "\(rule.rawValue): \(text)" }
}
