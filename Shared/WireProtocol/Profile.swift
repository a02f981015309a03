#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Who people are: what they say of themselves, and what others see of it.

/// What everybody may see of a person.
public struct PersonSummary: Codable, Hashable, Sendable {
    /// The name of whoever is not known, is gone, or is not to be known by the one who asks; there is no page of theirs.
    package static let nameOfUnknown = "Someone"

    public var id: PersonID
    public var name: String
    /// A photo's id, shown at `/photos/{id}/thumb`.
    public var photo: String?
    /// The id of the campus at which they verified an email address.
    public var campus: String?
    /// Absent where nobody has reviewed them yet.
    public var reputation: Reputation?

    public init(
        id: PersonID, name: String, photo: String? = nil, campus: String? = nil, reputation: Reputation? = nil
    ) {
        self.id = id
        self.name = name
        self.photo = photo
        self.campus = campus
        self.reputation = reputation
    }
}

/// A person's own view of their account, and of others what they may see: `email`, `phone` and `mode` only to oneself.
public struct Person: Codable, Hashable, Sendable {
    public var id: PersonID
    public var name: String
    public var username: String?
    public var email: String?
    /// Whether they have shown that the address is theirs. Only to oneself.
    public var emailVerified: Bool?
    /// As E.164 writes it: `+6591234567`.
    public var phone: String?
    /// True where they have shown by a text that their number is theirs; else absent. Others see that, and not the number.
    public var phoneVerified: Bool?
    public var region: String?
    public var photo: String?
    /// May have several lines.
    public var bio: String?
    public var car: PersonCar?
    public var mode: DeliveryMode?
    /// The id of the campus at which they verified an email address.
    public var campus: String?
    /// Absent where nobody has reviewed them yet.
    public var reputation: Reputation?
    public var memberSince: Date
    /// Names what they say of themselves, to oneself alone.
    public var version: String?

    public init(
        id: PersonID, name: String, username: String? = nil, email: String? = nil, emailVerified: Bool? = nil,
        phone: String? = nil, phoneVerified: Bool? = nil, region: String? = nil, photo: String? = nil,
        bio: String? = nil,
        car: PersonCar? = nil,
        mode: DeliveryMode? = nil, campus: String? = nil, reputation: Reputation? = nil, memberSince: Date,
        version: String? = nil
    ) {
        self.id = id
        self.name = name
        self.username = username
        self.email = email
        self.emailVerified = emailVerified
        self.phone = phone
        self.phoneVerified = phoneVerified
        self.region = region
        self.photo = photo
        self.bio = bio
        self.car = car
        self.mode = mode
        self.campus = campus
        self.reputation = reputation
        self.memberSince = memberSince
        self.version = version
    }
}

extension Person {
    public var summary: PersonSummary {
        PersonSummary(id: id, name: name, photo: photo, campus: campus, reputation: reputation)
    }
}

/// The car that a person drives, as they describe it; for others to recognise it by.
public struct PersonCar: Codable, Hashable, Sendable {
    public var make: String?
    public var model: String?
    public var year: Int?
    public var color: String?

    public init(make: String? = nil, model: String? = nil, year: Int? = nil, color: String? = nil) {
        self.make = make
        self.model = model
        self.year = year
        self.color = color
    }
}

/// Whether a person has meals brought, or brings them.
public enum DeliveryMode: String, Codable, CaseIterable, Hashable, Sendable {
    case ordering, delivering
}

/// What a change says of one field, as in a merge patch (RFC 7396): absent, it stays; null removes it.
public enum Edit<Value: Codable & Hashable & Sendable>: Hashable, Sendable {
    case keep
    case remove
    case set(Value)

    /// What it is to be; nil where nothing is said of it.
    public var given: Value?? {
        switch self {
        case .keep: .none
        case .remove: .some(nil)
        case .set(let value): .some(value)
        }
    }
}

extension Edit: Codable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        self = container.decodeNil() ? .remove : .set(try container.decode(Value.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        if case .set(let value) = self { try container.encode(value) } else { try container.encodeNil() }
    }
}

extension Edit: ExpressibleByUnicodeScalarLiteral, ExpressibleByExtendedGraphemeClusterLiteral,
    ExpressibleByStringLiteral
where Value == String {
    public init(stringLiteral value: String) { self = .set(value) }
}

// What the compiler writes for a type with such fields calls these, which alone can tell absent from null.
extension KeyedDecodingContainer {
    public func decode<Value>(_: Edit<Value>.Type, forKey key: Key) throws -> Edit<Value> {
        guard contains(key) else { return .keep }
        return try decodeNil(forKey: key) ? .remove : .set(try decode(Value.self, forKey: key))
    }
}
extension KeyedEncodingContainer {
    public mutating func encode<Value>(_ edit: Edit<Value>, forKey key: Key) throws {
        switch edit {
        case .keep: break
        case .remove: try encodeNil(forKey: key)
        case .set(let value): try encode(value, forKey: key)
        }
    }
}

/// `PATCH /v1/me`: what is absent stays as it is, null removes; so does an empty text. A name cannot be removed, and the mode
/// goes back to ordering. A car is given whole.
public struct ProfileChange: Codable, Hashable, Sendable {
    public var name: Edit<String>
    public var username: Edit<String>
    public var region: Edit<String>
    public var photo: Edit<String>
    public var phone: Edit<String>
    public var bio: Edit<String>
    public var car: Edit<PersonCar>
    public var mode: Edit<DeliveryMode>
    /// That of the profile as it was when the change was made up: where it is another one by now, nothing is changed (`changed_meanwhile`).
    public var version: String?

    public init(
        name: Edit<String> = .keep, username: Edit<String> = .keep, region: Edit<String> = .keep,
        photo: Edit<String> = .keep, phone: Edit<String> = .keep, bio: Edit<String> = .keep,
        car: Edit<PersonCar> = .keep, mode: Edit<DeliveryMode> = .keep, version: String? = nil
    ) {
        self.name = name
        self.username = username
        self.region = region
        self.photo = photo
        self.phone = phone
        self.bio = bio
        self.car = car
        self.mode = mode
        self.version = version
    }
}

/// `GET /v1/usernames/{username}`.
package struct UsernameQuestion: Codable, Hashable, Sendable {
    package var username: String
    package init(username: String) { self.username = username }
}

/// Whether a username can be had.
public struct UsernameAvailability: Codable, Hashable, Sendable {
    /// As it would be written.
    public var username: String
    /// Nobody has it, or only the one who asks.
    public var free: Bool
    /// Free ones like it, where it is taken.
    public var suggestions: [String]

    public init(username: String, free: Bool, suggestions: [String] = []) {
        self.username = username
        self.free = free
        self.suggestions = suggestions
    }
}

/// Everybody, page by page, for services that keep a projection: those whose ids follow `after`, in the order of their ids.
package struct PeopleQuery: Codable, Hashable, Sendable {
    package static let largest = 500

    package var after: PersonID?
    package var limit: Int
    package init(after: PersonID? = nil, limit: Int = PeopleQuery.largest) {
        self.after = after
        self.limit = limit
    }
}
