#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Erasing oneself: requests, replies and events of auth and of every service that keeps something about people.

public typealias ErasureID = ID<Erasure>

/// `DELETE /v1/me`.
public struct ErasureRequest: Codable, Hashable, Sendable {
    /// The account's own: whoever finds a phone unlocked has its session. Empty where the account has none; then the session has to be young.
    public var password: String
    public init(password: String) { self.password = password }
}

/// The receipt of an erasure: what each service did. Whoever knows its id may read it, since nobody can sign in for it any more.
public struct Erasure: Codable, Hashable, Sendable {
    /// Random, and so as good as a password.
    public var id: ErasureID
    public var requestedAt: Date
    /// When the last service had done its part.
    public var completedAt: Date?
    /// In the order of their names.
    public var parts: [ErasurePart]

    public init(id: ErasureID, requestedAt: Date, completedAt: Date? = nil, parts: [ErasurePart]) {
        self.id = id
        self.requestedAt = requestedAt
        self.completedAt = completedAt
        self.parts = parts
    }
}

/// What one service has to do.
public struct ErasurePart: Codable, Hashable, Sendable {
    /// The service's name.
    public var service: String
    /// Absent as long as it has not done it.
    public var doneAt: Date?
    /// What it did; empty where it knew nothing.
    public var records: [ErasedRecords]

    public init(service: String, doneAt: Date? = nil, records: [ErasedRecords] = []) {
        self.service = service
        self.doneAt = doneAt
        self.records = records
    }
}

/// How many records of a kind are gone, or stand without their person.
public struct ErasedRecords: Codable, Hashable, Sendable {
    public var kind: Kind
    public var count: Int

    public init(_ kind: Kind, _ count: Int) {
        self.kind = kind
        self.count = count
    }

    public enum Kind: String, Codable, CaseIterable, Hashable, Sendable {
        case accounts, sessions, identities, passkeys, friendships, blocks, encounters, reviews, notices
        /// On which they were told things.
        case devices
        /// What they told moderators; it stays, and names nobody.
        case reports
        case spots
        /// Of other people's spots.
        case claims
        /// What was said about spots; their counts stay.
        case observations
        /// What they shared for rent.
        case things
        /// What was between them and one other about a thing.
        case rentals
        /// What they offered to drive, and what they asked for in rides of others.
        case rides, seats
        /// What they offered to bring along, what they wanted brought, and who was asked to bring what.
        case availabilities, orders, matches
        /// What they looked for.
        case wanted
        /// Where two people wrote to each other.
        case rooms
        /// What they wrote to others; it stays, and names nobody.
        case messages
        /// Things of other people that named the person, and name nobody now.
        case unnamed
        case photos
    }
}

public struct ErasureReference: Codable, Hashable, Sendable {
    public var id: ErasureID
    public init(id: ErasureID) { self.id = id }
}

extension ID where Entity == Person {
    /// In the place of somebody who has erased themselves, where a thing has to have somebody.
    package static var nobody: Self { Self(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))) }
}

// MARK: Photos

/// Pictures of erased people that still lie in the gateway's store.
package struct ErasedPhotos: Codable, Hashable, Sendable {
    package var erasure: ErasureID
    package var photos: [String]
    /// How many of them were deleted; others show the rest, too.
    package var deleted: Int

    package init(erasure: ErasureID, photos: [String], deleted: Int = 0) {
        self.erasure = erasure
        self.photos = photos
        self.deleted = deleted
    }
}

/// Pictures of messages that were deleted with their room, and that still lie in the gateway's store.
package struct LeftPhotos: Codable, Hashable, Sendable {
    package var room: RoomID
    package var photos: [String]

    package init(room: RoomID, photos: [String]) {
        self.room = room
        self.photos = photos
    }
}

/// Asks which of these pictures a service shows.
package struct PhotoUse: Codable, Hashable, Sendable {
    package static let largest = 200
    package var photos: [String]
    package init(photos: [String]) { self.photos = photos }
}

// MARK: Methods

extension AuthMethods {
    package static let eraseMe = Method<LanguageParameters, ErasureRequest, Erasure>(
        "auth.eraseMe", .command, isForSuspended: true)
    package static let erasure = Method<ErasureReference, Nothing, Erasure>(
        "auth.erasure", .query, isForSuspended: true)
    /// Some that wait; the gateway deletes what nobody shows any more, and says so.
    package static let photosToErase = Method<Nothing, Nothing, Page<ErasedPhotos>>("auth.photosToErase", .query)
    package static let photosErased = Method<Nothing, ErasedPhotos, Nothing>("auth.photosErased", .command)
}

extension ChatMethods {
    /// The same of rooms that are gone.
    package static let photosToErase = Method<Nothing, Nothing, Page<LeftPhotos>>("chat.photosToErase", .query)
    package static let photosErased = Method<Nothing, LeftPhotos, Nothing>("chat.photosErased", .command)
}

extension CommonMethods {
    /// Which of some pictures the service shows.
    package var photosInUse: Method<Nothing, PhotoUse, PhotoUse> {
        Method("\(service).photosInUse", .query)
    }
}

// MARK: Events

/// Somebody has erased themselves. Each service that keeps something about people does its part, and says so with `PersonalDataErased`.
package struct PersonErased: Event {
    package static let type = "personErased"
    package var erasure: ErasureID
    package var person: PersonID

    package init(erasure: ErasureID, person: PersonID) {
        self.erasure = erasure
        self.person = person
    }
}

/// A service has done its part of an erasure.
package struct PersonalDataErased: Event {
    package static let type = "personalDataErased"
    package var erasure: ErasureID
    package var records: [ErasedRecords]
    /// Pictures that things of the person had.
    package var photos: [String]

    package init(erasure: ErasureID, records: [ErasedRecords], photos: [String]) {
        self.erasure = erasure
        self.records = records
        self.photos = photos
    }
}
