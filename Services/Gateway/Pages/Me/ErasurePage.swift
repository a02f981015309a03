import HTTPTypes
import Hummingbird
import WireProtocol

/// `/erasures/{id}`: the receipt of an erasure, for whoever has the address. It looks again by itself until it is complete.
struct ErasurePage {
    struct Row {
        var name: String
        var done: Bool
        var state: String
        var records: [String]
    }

    var requested: Moment
    var completed: Moment?
    var rows: [Row]

    private static let refresh = HTTPField.Name("Refresh")!

    static func register(on routes: PageRoutes) {
        routes.get("/erasures/{id}", forSuspended: true) { visit in
            let erasure = try await visit.ask(
                AuthMethods.erasure, ErasureReference(id: try visit.id()), Nothing())
            var response = try await visit.page(
                "me/erasure", ErasurePage(erasure, in: visit), PageFrame(title: visit.words["erasure.title"]))
            if erasure.completedAt == nil { response.headers[refresh] = "3" }
            return response
        }
    }

    private init(_ erasure: Erasure, in visit: Visit) {
        let words = visit.words
        requested = visit.moment(erasure.requestedAt, .ago)
        completed = erasure.completedAt.map { visit.moment($0, .ago) }
        rows = erasure.parts.map { part in
            Row(
                name: words["erasure.service.\(part.service)"], done: part.doneAt != nil,
                state: words[part.doneAt == nil ? "erasure.waiting" : "erasure.done"],
                records: part.records.map { records in
                    words["erasure.records.\(records.kind.rawValue)", count: records.count]
                })
        }
    }
}
