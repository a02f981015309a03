import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

// Which spots are asked for: a checked `SpotQuery`. Pure, like Spot.swift.

/// Which spots, in which order.
enum SpotSelection: Hashable, Sendable {
    /// Free ones within a box, newest first.
    case within(BoundingBox)
    /// Free ones within so many metres of a point, nearest first.
    case near(Position, radius: Int)
    /// A person's own in every state, newest first.
    case posted(by: PersonID)
    /// A person's free ones, newest first: what everybody may see of what they posted.
    case free(by: PersonID)
    /// Those a person claimed since that moment, newest first.
    case claimed(by: PersonID, since: Date)

    /// What is between the one who asks and others, who may be apart from them since.
    var isOnesOwn: Bool {
        switch self {
        case .posted, .claimed: true
        case .within, .near, .free: false
        }
    }
}

/// One page of a selection.
struct SpotPage: Hashable, Sendable {
    static let usual = 20
    static let largest = 100
    static let usualRadius = 1_000
    static let largestRadius = 50_000

    var selection: SpotSelection
    var limit: Int
    /// The last spot of the page before.
    var after: SpotCursor?

    init(_ selection: SpotSelection, limit: Int = usual, after: SpotCursor? = nil) {
        self.selection = selection
        self.limit = limit
        self.after = after
    }

    /// - Throws: `invalid`, or `unauthenticated` where nobody asks for their own.
    init(_ query: SpotQuery, for caller: Caller, at now: Date, within limits: SpotLimits) throws {
        let errors = Self.errors(in: query)
        guard errors.isEmpty else { throw SpotError.invalid(errors) }
        selection =
            if let box = query.bbox {
                .within(box)
            } else if let point = query.near {
                .near(point, radius: query.radius ?? Self.usualRadius)
            } else if let person = query.by {
                .free(by: person)
            } else if query.of == .posted {
                .posted(by: try caller.requirePerson())
            } else {
                .claimed(by: try caller.requirePerson(), since: now - limits.claimLifetime)
            }
        limit = query.limit ?? Self.usual
        after = try query.cursor.map { text throws(SpotError) in
            guard let cursor = SpotCursor(text), (cursor.chord != nil) == (query.near != nil) else {
                throw .invalid([FieldError("cursor", "not_a_cursor", "This is not a cursor of this list.")])
            }
            return cursor
        }
    }

    private static func errors(in query: SpotQuery) -> [FieldError] {
        var errors: [FieldError] = []
        let given = [query.bbox != nil, query.near != nil, query.of != nil, query.by != nil]
        if given.count(where: { $0 }) != 1 {
            errors.append(FieldError("bbox", "one_of", "Ask for exactly one of bbox, near, of and by."))
        }
        if query.bbox?.isValid == false {
            errors.append(FieldError("bbox", "out_of_range", "West, south, east, north in degrees, south first."))
        }
        if query.near?.isValid == false {
            errors.append(FieldError("near", "out_of_range", "Latitude and longitude in degrees."))
        }
        if let radius = query.radius {
            if query.near == nil {
                errors.append(FieldError("radius", "not_allowed", "A radius needs a point: near."))
            } else if !(1...largestRadius).contains(radius) {
                errors.append(FieldError("radius", "out_of_range", "Between 1 and \(largestRadius) metres."))
            }
        }
        if let limit = query.limit, !(1...largest).contains(limit) {
            errors.append(FieldError("limit", "out_of_range", "Between 1 and \(largest)."))
        }
        return errors
    }
}

/// A spot that a query found.
struct FoundSpot: Hashable, Sendable {
    var spot: ParkingSpot
    /// From the point that was asked for; nil where none was.
    var distance: Distance?
}

/// The place of a spot in a list: what comes after it is the next page. Opaque to everybody else.
struct SpotCursor: Hashable, Sendable {
    var id: SpotID
    /// Where the list is ordered by distance.
    var chord: Double?

    init(_ found: FoundSpot) {
        id = found.spot.id
        chord = found.distance?.chord
    }

    init?(_ text: String) {
        let parts = text.split(separator: "~", omittingEmptySubsequences: false)
        guard let id = parts.first.flatMap({ SpotID(String($0)) }), parts.count <= 2 else { return nil }
        self.id = id
        guard parts.count == 2 else { return }
        guard let chord = UInt64(parts[1], radix: 16).map(Double.init(bitPattern:)), chord.isFinite, chord >= 0
        else { return nil }
        self.chord = chord
        // One text for one place: signs, zeros in front and capitals are not ours.
        guard self.text == text.lowercased() else { return nil }
    }

    /// The distance is written bit by bit: the next page starts at exactly this one.
    var text: String { chord.map { "\(id)~\(String($0.bitPattern, radix: 16))" } ?? "\(id)" }
}
