#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Everything about oneself as one archive: requests and replies of auth, which gathers it, and of every service that keeps something.

public typealias DataExportID = ID<DataExport>

/// How far the gathering is. `GET /v1/me/export`.
public struct DataExport: Codable, Hashable, Sendable {
    public var id: DataExportID
    public var requestedAt: Date
    /// When the archive could be fetched; absent as long as a service has not answered.
    public var readyAt: Date?
    /// When it is deleted.
    public var expiresAt: Date?
    /// In the order of their names.
    public var parts: [DataExportPart]

    public init(
        id: DataExportID, requestedAt: Date, readyAt: Date? = nil, expiresAt: Date? = nil, parts: [DataExportPart]
    ) {
        self.id = id
        self.requestedAt = requestedAt
        self.readyAt = readyAt
        self.expiresAt = expiresAt
        self.parts = parts
    }
}

public struct DataExportPart: Codable, Hashable, Sendable {
    /// The service's name.
    public var service: String
    /// How many records there are so far.
    public var records: Int
    /// Absent as long as there may be more.
    public var doneAt: Date?

    public init(service: String, records: Int = 0, doneAt: Date? = nil) {
        self.service = service
        self.records = records
        self.doneAt = doneAt
    }
}

/// One thing that a service keeps about a person.
package struct PersonalRecord: Codable, Hashable, Sendable {
    /// Of which file of the archive it is a line: `spots`.
    package var kind: String
    /// JSON, as it stands in the archive.
    package var json: String
    /// The person's own pictures in it.
    package var photos: [String]

    package init(kind: String, json: String, photos: [String] = []) {
        self.kind = kind
        self.json = json
        self.photos = photos
    }

    /// - Parameter value: as people get it by the HTTP interface, where it has a form there.
    package init(_ kind: String, _ value: some Encodable, photos: [String?] = []) throws {
        self.init(
            kind: kind, json: String(decoding: try WireJSON.encode(value), as: UTF8.self),
            photos: photos.compactMap(\.self))
    }
}

/// Asks a service for what it keeps about somebody.
package struct PersonalDataQuery: Codable, Hashable, Sendable {
    package var person: PersonID
    /// `next` of the page before; nil for the first.
    package var cursor: String?

    package init(person: PersonID, cursor: String? = nil) {
        self.person = person
        self.cursor = cursor
    }
}

/// A page of the archive, as auth keeps it for the gateway.
package struct DataExportPage: Codable, Hashable, Sendable {
    package var service: String
    package var records: [PersonalRecord]
    /// The next one's number; nil on the last.
    package var next: Int?

    package init(service: String, records: [PersonalRecord], next: Int? = nil) {
        self.service = service
        self.records = records
        self.next = next
    }
}

package struct DataExportPageQuery: Codable, Hashable, Sendable {
    /// From 0 on.
    package var number: Int
    package init(number: Int) { self.number = number }
}

extension AuthMethods {
    /// Begins to gather, unless that is under way: a new one takes the place of one that is ready.
    package static let requestExport = Method<Nothing, Nothing, DataExport>(
        "auth.requestExport", .command, isForSuspended: true)
    package static let export = Method<Nothing, Nothing, DataExport>("auth.export", .query, isForSuspended: true)
    /// Of the caller's archive, when it is ready.
    package static let exportPage = Method<DataExportPageQuery, Nothing, DataExportPage>(
        "auth.exportPage", .query, isForSuspended: true)
}

extension CommonMethods {
    /// What the service keeps about somebody.
    package var personalData: Method<PersonalDataQuery, Nothing, Page<PersonalRecord>> {
        Method("\(service).personalData", .query, peers: [.auth])
    }
}
