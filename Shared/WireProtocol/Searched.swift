#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What standing searches ask of the service that has what is looked for: it alone reads a search, says by which keys a thing can be found, and judges
// whether a search finds it, by its own search. So the two cannot drift apart, and who keeps searches knows no vertical.

/// By what a thing may be found: it has each of its keys, and a search has those of one of its anchors. What a search finds has one of them.
package struct SearchKey: RawRepresentable, Codable, Hashable, Sendable, Comparable, CustomStringConvertible {
    package let rawValue: String
    package init(rawValue: String) { self.rawValue = rawValue }

    package init(from decoder: any Decoder) throws {
        rawValue = try decoder.singleValueContainer().decode(String.self)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(rawValue)
    }

    package var description: String { rawValue }
    package static func < (one: SearchKey, other: SearchKey) -> Bool { one.rawValue < other.rawValue }
}

/// A search as its service has read it.
package struct ReadSearch: Codable, Hashable, Sendable {
    /// As it is kept: words trimmed, what is absent filled in.
    package var query: WantedQuery
    /// Each alone suffices: whatever the search finds has one of its keys. Never empty.
    package var anchors: [[SearchKey]]
    /// Where all that it finds lies, by `Searchable.position`: nothing else is judged, nor counted for an estimate.
    package var around: Circle?
    /// When it can find nothing any more, by its own words.
    package var until: Date?

    package struct Circle: Codable, Hashable, Sendable {
        package var middle: Position
        /// Metres.
        package var radius: Int

        package init(middle: Position, radius: Int) {
            self.middle = middle
            self.radius = radius
        }
    }

    package init(query: WantedQuery, anchors: [[SearchKey]], around: Circle? = nil, until: Date? = nil) {
        self.query = query
        self.anchors = anchors
        self.around = around
        self.until = until
    }
}

/// Something that can be found now.
package struct Searchable: Codable, Hashable, Sendable {
    package var subject: Subject
    package var owner: PersonID
    /// What it is called, as everybody may know it.
    package var title: String
    package var keys: [SearchKey]
    /// Where it is, as everybody may know it.
    package var position: Position?
    /// Whether the first who comes has it: searches are told in waves.
    package var isForOne: Bool
    /// What is for rent.
    package var thing: ThingKind?

    package init(
        _ subject: Subject, of owner: PersonID, title: String, keys: [SearchKey], at position: Position? = nil,
        isForOne: Bool, thing: ThingKind? = nil
    ) {
        self.subject = subject
        self.owner = owner
        self.title = title
        self.keys = keys
        self.position = position
        self.isForOne = isForOne
        self.thing = thing
    }
}

/// Some things, of which is asked what they are now.
package struct SearchablesQuery: Codable, Hashable, Sendable {
    package static let largest = 50
    /// At most `largest`.
    package var subjects: [Subject]

    package init(of subjects: [Subject]) { self.subjects = subjects }
}

/// Those of them that can be found now. Of several, some may be left out (`mostKeys`): these are asked for one by one.
package struct Searchables: Codable, Hashable, Sendable {
    /// So many keys are said at once, unless one thing alone has more: a long ride has thousands.
    package static let mostKeys = 10_000
    package var items: [Searchable]

    /// As many of them as may be said at once.
    package init(_ found: [Searchable]) {
        var keys = 0
        items = Array(
            found.enumerated().prefix { number, thing in
                keys += thing.keys.count
                return number == 0 || keys <= Self.mostKeys
            }.map(\.element))
    }
}

/// Some searches, of which is asked whether they find something now.
package struct SearchJudging: Codable, Hashable, Sendable {
    package static let largest = 200
    package var subject: Subject
    /// At most `largest`.
    package var searches: [Search]

    package struct Search: Codable, Hashable, Sendable {
        package var id: WantedID
        package var person: PersonID
        /// Read by the service that judges, and by nobody on the way to it.
        package var query: PassedOn<WantedQuery>

        package init(id: WantedID, person: PersonID, query: PassedOn<WantedQuery>) {
            self.id = id
            self.person = person
            self.query = query
        }

        package init(id: WantedID, person: PersonID, query: WantedQuery) {
            self.init(id: id, person: person, query: PassedOn(query))
        }
    }

    package init(of subject: Subject, by searches: [Search]) {
        self.subject = subject
        self.searches = searches
    }
}

package struct SearchJudgement: Codable, Hashable, Sendable {
    /// Those that find it.
    package var found: [WantedID]
    package init(found: [WantedID]) { self.found = found }
}

/// A search of somebody, of which is asked what it finds now.
package struct SearchLook: Codable, Hashable, Sendable {
    package static let most = 500
    package var person: PersonID
    package var query: WantedQuery

    package init(for person: PersonID, _ query: WantedQuery) {
        self.person = person
        self.query = query
    }
}

/// The newest that it finds, or the best where its service has an order, at most `SearchLook.most`.
package struct SearchLookAnswer: Codable, Hashable, Sendable {
    package var subjects: [Subject]
    package init(subjects: [Subject]) { self.subjects = subjects }
}

/// Some things that somebody's searches have found, of which is asked what they are now.
package struct FoundQuery: Codable, Hashable, Sendable {
    package static let largest = 100
    package var person: PersonID
    /// At most `largest`.
    package var subjects: [Subject]

    package init(for person: PersonID, _ subjects: [Subject]) {
        self.person = person
        self.subjects = subjects
    }
}

/// Those of them that the person may see and could find: not what is gone, hidden, or of somebody who is apart from them.
package struct FoundItems: Codable, Hashable, Sendable {
    package var items: [ShelfItem]
    package init(items: [ShelfItem]) { self.items = items }
}

extension CommonMethods {
    /// `invalid` where it is no search; its fields are those of `WantedQuery`.
    package var readSearch: Method<Nothing, WantedQuery, ReadSearch> {
        Method("\(service).readSearch", .query, peers: [.matching])
    }
    package var searchables: Method<Nothing, SearchablesQuery, Searchables> {
        Method("\(service).searchables", .query, peers: [.matching])
    }
    package var judgeSearches: Method<Nothing, SearchJudging, SearchJudgement> {
        Method("\(service).judgeSearches", .query, peers: [.matching])
    }
    package var look: Method<Nothing, SearchLook, SearchLookAnswer> {
        Method("\(service).look", .query, peers: [.matching])
    }
    package var foundItems: Method<Nothing, FoundQuery, FoundItems> {
        Method("\(service).foundItems", .query, peers: [.matching])
    }
}

/// Something can be found, says something else, or can be found no more: what it is, is asked for. For services.
package struct SearchableChanged: Event, Hashable {
    package static let type = "searchableChanged"
    package var subject: Subject
    /// Where it is true, no search finds it that did not before: it matters only where somebody waits to be told of it.
    package var isNarrower: Bool?

    package init(subject: Subject, isNarrower: Bool = false) {
        self.subject = subject
        self.isNarrower = isNarrower ? true : nil
    }
}
