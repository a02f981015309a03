import HTTPTypes
import WireProtocol

extension APIRoute {
    /// What people want to be told of when it appears: their searches, and what these have found.
    static let wanted: [APIRoute] = [
        .service(.get, "/v1/wanted", "listWanted", MatchingMethods.allWanted) { read, _ in
            WantedListQuery(limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
        },
        .service(.post, "/v1/wanted", "postWanted", MatchingMethods.postWanted, success: .created),
        // Before those that take an id: a router takes what is said in words first, and readers do.
        .service(.post, "/v1/wanted/estimate", "estimateWanted", MatchingMethods.estimateWanted),
        .service(.get, "/v1/wanted/finders", "listWantedFinders", MatchingMethods.wantedFinders) { read, _ in
            finders(&read)
        },
        .service(.get, "/v1/wanted/{id}", "getWanted", MatchingMethods.wanted, read: wantedReference),
        .service(.patch, "/v1/wanted/{id}", "changeWanted", MatchingMethods.changeWanted, read: wantedReference),
        .service(.delete, "/v1/wanted/{id}", "removeWanted", MatchingMethods.removeWanted, read: wantedReference),
        .service(.post, "/v1/wanted/{id}/renew", "renewWanted", MatchingMethods.renewWanted, read: wantedReference),
        .service(.get, "/v1/wanted/{id}/finds", "listWantedFinds", MatchingMethods.wantedFinds) { read, _ in
            WantedFindQuery(id: read.id(), limit: read.integer("limit", in: 1...100), cursor: read.text("cursor"))
        },
    ]

    @Sendable private static func wantedReference(_ read: inout ParameterReader, _: APICall) -> WantedReference {
        WantedReference(id: read.id())
    }

    private static func finders(_ read: inout ParameterReader) -> WantedFinders {
        read.exactlyOne(of: ["kind"])
        read.exactlyOne(of: ["id"])
        let kind = read.choice("kind", of: FoundKind.allCases)
        let id: ID<Subject>? = read.reference("id")
        return WantedFinders(of: Subject(kind: (kind ?? .spot).subject, id: id ?? ID<Subject>.new()))
    }
}

/// What searches find. A vertical more adds its kind here.
private enum FoundKind: String, CaseIterable {
    case spot, thing, ride, availability

    var subject: SubjectKind {
        switch self {
        case .spot: .spot
        case .thing: .thing
        case .ride: .ride
        case .availability: .availability
        }
    }
}
