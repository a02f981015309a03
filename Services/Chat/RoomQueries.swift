import FoundationEssentials
import PlainText
import WireProtocol

// Which rooms and messages are asked for: checked queries. Pure, like ChatRoom.swift.

/// One page of somebody's rooms, the one with the newest message first.
struct RoomPage: Hashable, Sendable {
    static let words = 2...100

    /// Nil is every one.
    var shelf: RoomShelf?
    /// What is looked for; nil where all are listed.
    var words: String?
    var limit: Int
    /// The last room of the page before.
    var after: MomentCursor?

    /// - Throws: `invalid`.
    init(_ query: RoomQuery) throws(ChatError) {
        var errors: [FieldError] = []
        words = query.q?.trimmed
        shelf = query.shelf ?? (query.q == nil ? .inbox : nil)
        if let words, !Self.words.contains(words.count) || words.utf8.count > 800 {
            errors.append(FieldError("q", "length", "Between 2 and 100 characters."))
        }
        if let words, words.unicodeScalars.contains("\0") {
            errors.append(FieldError("q", "not_allowed", "Only visible characters."))
        }
        limit = query.readLimit(&errors)
        after = query.readCursor(&errors) { MomentCursor($0) }
        guard errors.isEmpty else { throw .invalid(errors) }
    }
}

extension MomentCursor {
    init(_ room: ChatRoom) { self.init(room.changedAt, room.id.uuid) }
    init(_ message: ChatMessage) { self.init(message.sentAt, message.id.uuid) }
}

/// Which messages of a room.
struct MessagePage: Hashable, Sendable {
    static let usual = 50

    enum Side: Hashable, Sendable {
        /// The nearest ones with smaller numbers; those at the end where there is no number.
        case before(Int)
        case after(Int)
    }

    var side: Side
    var limit: Int

    init(_ query: MessageQuery) throws(ChatError) {
        var errors = FieldRules.errors(inLimit: query.limit)
        for (field, number) in [("before", query.before), ("after", query.after)] {
            if let number, number < 0 { errors.append(FieldError(field, "out_of_range", "A message's number.")) }
        }
        if query.before != nil, query.after != nil {
            errors.append(FieldError("after", "not_both", "Give before or after, not both."))
        }
        guard errors.isEmpty else { throw .invalid(errors) }
        side = query.after.map { .after($0) } ?? .before(query.before ?? .max)
        limit = query.limit ?? Self.usual
    }
}

/// A page of messages in the order of their numbers, and what is on either side of it.
struct FoundMessages: Hashable, Sendable {
    var messages: [ChatMessage]
    /// By which `before` and which `after` that is asked for; nil where there is nothing.
    var before: Int?
    var after: Int?

    /// Numbers have no gaps: what is around a page follows from them, and nothing more has to be looked for.
    /// - Parameter last: the newest message's number when the page was asked for; 0 where there is none.
    init(_ messages: [ChatMessage], of page: MessagePage, last: Int) {
        // Where nothing was found, it would have begun here.
        let place =
            switch page.side {
            case .before(let number): max(1, min(number, last + 1))
            case .after(let number): min(number, last) + 1
            }
        let (first, end) = (messages.first?.number ?? place, messages.last?.number ?? place - 1)
        self.messages = messages
        before = first > 1 ? first : nil
        after = end < last ? end : nil
    }
}

extension Date {
    var unixMilliseconds: Int64 { Int64((timeIntervalSince1970 * 1000).rounded()) }

    /// As it is written on the wire: what is stored and what is told are the same moment.
    var inMilliseconds: Date { Date(timeIntervalSince1970: Double(unixMilliseconds) / 1000) }
}
