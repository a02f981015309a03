import DurableMessaging
import FoundationEssentials
import WireProtocol

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
    var selection: SpotSelection
    var limit: Int
    /// The last spot of the page before.
    var after: SpotCursor?

    init(_ selection: SpotSelection, limit: Int = PageSize.usual, after: SpotCursor? = nil) {
        self.selection = selection
        self.limit = limit
        self.after = after
    }

    /// - Throws: `invalid`, or `unauthenticated` where nobody asks for their own.
    init(_ query: SpotQuery, for caller: Caller, at now: Date, within limits: SpotLimits) throws {
        var errors = Self.errors(in: query)
        limit = query.readLimit(&errors)
        guard errors.isEmpty else { throw SpotError.invalid(errors) }
        selection =
            if let box = query.bbox {
                .within(box)
            } else if let circle = query.circle {
                .near(circle.middle, radius: circle.radius)
            } else if let person = query.by {
                .free(by: person)
            } else if query.of == .posted {
                .posted(by: try caller.requirePerson())
            } else {
                .claimed(by: try caller.requirePerson(), since: now - limits.claimLifetime)
            }
        after = query.readCursor(&errors) { text in
            SpotCursor(text).flatMap { ($0.chord != nil) == (query.near != nil) ? $0 : nil }
        }
        guard errors.isEmpty else { throw SpotError.invalid(errors) }
    }

    static func errors(in query: SpotQuery) -> [FieldError] {
        var errors: [FieldError] = []
        let given = [query.bbox != nil, query.near != nil, query.of != nil, query.by != nil]
        if given.count(where: { $0 }) != 1 {
            errors.append(FieldError("bbox", "one_of", "Ask for exactly one of bbox, near, of and by."))
        }
        if query.bbox?.isValid == false {
            errors.append(FieldError("bbox", "out_of_range", "West, south, east, north in degrees, south first."))
        }
        errors += FieldRules.errors(inPoint: query.near, at: "near")
        if query.radius != nil, query.near == nil {
            errors.append(FieldError("radius", "not_allowed", "A radius needs a point: near."))
        } else {
            errors += FieldRules.errors(inRadius: query.radius)
        }
        return errors
    }
}

extension SpotQuery {
    /// Around which point it asks; nil where it asks otherwise.
    var circle: ReadSearch.Circle? {
        near.map { ReadSearch.Circle(middle: $0, radius: radius ?? FieldRules.usualRadius) }
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
        if let place = DistanceCursor(text) {
            (id, chord) = (SpotID(place.id), place.chord)
        } else if let id = SpotID(text) {
            self.id = id
        } else {
            return nil
        }
    }

    var byDistance: DistanceCursor? { chord.map { DistanceCursor($0, id.uuid) } }
    var text: String { byDistance?.text ?? "\(id)" }
}
