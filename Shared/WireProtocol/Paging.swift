#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

/// How many of a list are on a page.
package enum PageSize {
    package static let usual = 20
    package static let largest = 100
}

extension PagedQuery {
    /// How many at most. What is wrong with that goes to the errors.
    package func readLimit(_ errors: inout [FieldError]) -> Int {
        errors += FieldRules.errors(inLimit: limit)
        return limit ?? PageSize.usual
    }

    /// Where the page before ended. What is no such place goes to the errors, and comes out as nil, as no cursor does.
    package func readCursor<Cursor>(_ errors: inout [FieldError], _ read: (String) -> Cursor?) -> Cursor? {
        guard let cursor else { return nil }
        let place = read(cursor)
        if place == nil { errors.append(FieldError("cursor", "not_a_cursor", "This is not a cursor of this list.")) }
        return place
    }
}

/// What was found for a page, of one more than it holds: so it shows whether another page follows.
package struct FoundPage<Found> {
    package let shown: [Found]
    /// The last of them, where another page follows.
    package let last: Found?

    package init(_ found: [Found], of limit: Int) {
        shown = Array(found.prefix(limit))
        last = found.count > limit ? shown.last : nil
    }
}

extension FoundPage: Sendable where Found: Sendable {}

extension Page {
    /// The first `limit` of what was found, which is one more where there are more.
    package init(_ found: [Item], of limit: Int, cursor: (Item) -> MomentCursor?) {
        let page = FoundPage(found, of: limit)
        self.init(items: page.shown, next: page.last.flatMap { cursor($0)?.text })
    }
}

// The place of something in a list: what comes after it is the next page. Opaque to everybody else. Where it is ordered by ids alone, an id is the
// cursor.

/// In a list that is ordered by time, and by ids where times are equal.
package struct MomentCursor: Hashable, Sendable {
    package let time: Date
    package let id: UUID

    package init(_ time: Date, _ id: UUID) { (self.time, self.id) = (time, id) }

    package init?(_ text: String) {
        guard let place = CursorText(text) else { return nil }
        id = place.id
        if (1..<UInt64(1) << 45).contains(place.bits) {
            // Unix milliseconds: so chat and notification wrote them once.
            time = Date(timeIntervalSince1970: Double(place.bits) / 1000)
            return
        }
        let seconds = Double(bitPattern: place.bits)
        // What a database can keep: the years from 2001 to 2255.
        guard seconds.isFinite, (0...8e9).contains(seconds) else { return nil }
        time = Date(timeIntervalSinceReferenceDate: seconds)
    }

    package var text: String { CursorText(id, time.timeIntervalSinceReferenceDate.bitPattern).text }
}

/// In a list that is ordered by distance in a straight line through the earth, and by ids where distances are equal.
package struct DistanceCursor: Hashable, Sendable {
    package let chord: Double
    package let id: UUID

    package init(_ chord: Double, _ id: UUID) { (self.chord, self.id) = (chord, id) }

    package init?(_ text: String) {
        guard let place = CursorText(text) else { return nil }
        (chord, id) = (Double(bitPattern: place.bits), place.id)
        guard chord.isFinite, chord >= 0 else { return nil }
    }

    package var text: String { CursorText(id, chord.bitPattern).text }
}

/// A number is written bit by bit: the next page starts at exactly this one.
private struct CursorText {
    let id: UUID
    let bits: UInt64

    init(_ id: UUID, _ bits: UInt64) { (self.id, self.bits) = (id, bits) }

    init?(_ text: String) {
        let parts = text.split(separator: "~", omittingEmptySubsequences: false)
        guard parts.count == 2, let id = UUID(canonical: String(parts[0])), let bits = UInt64(parts[1], radix: 16)
        else { return nil }
        (self.id, self.bits) = (id, bits)
        // One text for one place: signs, zeros in front and capitals are not ours.
        guard self.text == text else { return nil }
    }

    var text: String { "\(UUIDText.text(of: id))~\(String(bits, radix: 16))" }
}
