internal import WireProtocol

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// One page of somebody's friends, or of questions that are open, the latest first.
struct FriendPage: Hashable, Sendable {
    var state: FriendState
    var limit: Int
    var after: FriendCursor?

    static let usual = 20
    static let largest = 100
    static let unknownCursor = ServiceError.invalid([
        FieldError("cursor", "unknown", "This is no cursor of this list.")
    ])

    /// - Throws: `invalid`, naming the parameter.
    init(_ query: FriendQuery) throws(ServiceError) {
        state = query.state ?? .friends
        guard state != .none else {
            throw .invalid([FieldError("state", "unknown_choice", "One of: friends, waiting, asked.")])
        }
        limit = try Self.limit(query.limit)
        guard let text = query.cursor else { return }
        guard let cursor = FriendCursor(text) else { throw Self.unknownCursor }
        after = cursor
    }

    static func limit(_ given: Int?) throws(ServiceError) -> Int {
        let limit = given ?? usual
        guard (1...largest).contains(limit) else {
            throw .invalid([FieldError("limit", "out_of_range", "Between 1 and \(largest).")])
        }
        return limit
    }
}

/// The place of somebody in a list: what comes after it is the next page. Opaque to everybody else.
struct FriendCursor: Hashable, Sendable {
    var since: Date
    var person: PersonID

    init?(_ friend: Friend) {
        guard let since = friend.since else { return nil }
        (self.since, person) = (since, friend.person.id)
    }

    init?(_ text: String) {
        let parts = text.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2, let person = PersonID(String(parts[0])),
            let seconds = UInt64(parts[1], radix: 16).map(Double.init(bitPattern:)), seconds.isFinite,
            // What a database can keep: the years from 2001 to 2255.
            (0...8e9).contains(seconds)
        else { return nil }
        (since, self.person) = (Date(timeIntervalSinceReferenceDate: seconds), person)
        // One text for one place: signs, zeros in front and capitals are not ours.
        guard self.text == text.lowercased() else { return nil }
    }

    /// The time is written bit by bit: the next page starts at exactly this one.
    var text: String { "\(person)~\(String(since.timeIntervalSinceReferenceDate.bitPattern, radix: 16))" }
}
