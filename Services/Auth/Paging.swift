internal import WireProtocol

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// What lists have in common.
enum Paging {
    static let usual = 20
    static let largest = 100
    static let unknownCursor = ServiceError.invalid([
        FieldError("cursor", "unknown", "This is no cursor of this list.")
    ])

    static func limit(_ given: Int?) throws(ServiceError) -> Int {
        let limit = given ?? usual
        guard (1...largest).contains(limit) else {
            throw .invalid([FieldError("limit", "out_of_range", "Between 1 and \(largest).")])
        }
        return limit
    }

    static func moment(_ cursor: String?) throws(ServiceError) -> MomentCursor? {
        guard let cursor else { return nil }
        guard let moment = MomentCursor(cursor) else { throw unknownCursor }
        return moment
    }
}

/// The place of something in a list that is ordered by time, and by ids where times are equal: what comes after it is the next page. Opaque to
/// everybody else.
struct MomentCursor: Hashable, Sendable {
    var time: Date
    var id: UUID

    init(_ time: Date, _ id: UUID) { (self.time, self.id) = (time, id) }

    init?(_ text: String) {
        let parts = text.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = UUID(canonical: String(parts[0])),
            let seconds = UInt64(parts[1], radix: 16).map(Double.init(bitPattern:)), seconds.isFinite,
            // What a database can keep: the years from 2001 to 2255.
            (0...8e9).contains(seconds)
        else { return nil }
        (time, self.id) = (Date(timeIntervalSinceReferenceDate: seconds), id)
        // One text for one place: signs, zeros in front and capitals are not ours.
        guard self.text == text.lowercased() else { return nil }
    }

    /// The time is written bit by bit: the next page starts at exactly this one.
    var text: String {
        "\(ID<Void>(id))~\(String(time.timeIntervalSinceReferenceDate.bitPattern, radix: 16))"
    }
}

extension Page {
    /// The first `limit` of what was found, which is one more where there are more.
    init(_ found: [Item], of limit: Int, cursor: (Item) -> MomentCursor?) {
        let shown = Array(found.prefix(limit))
        self.init(items: shown, next: found.count > limit ? shown.last.flatMap { cursor($0)?.text } : nil)
    }
}
