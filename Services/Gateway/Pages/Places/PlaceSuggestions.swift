import Hummingbird
import PlainText
import WireProtocol

/// `/places/suggestions?q=&here=&near=&kind=&for=&to=`: what an address field offers while somebody types, as options of its list box
/// (`combobox.js`). The same options, as links or as choices, stand on the next page where there are no scripts.
struct PlaceOptions {
    struct Option {
        var place: PlaceView
        /// Unique in the page: an option is pointed at by its id.
        var id: String
        /// Where choosing it leads, in a field that searches.
        var href: String?
    }

    /// Id of the field.
    var field: String
    var options: [Option]
    var count: Int
    /// What is said to who does not see them.
    var said: String
    var attribution: String?
    /// What of the text was left out, as it is said.
    var leftOut: String?

    static let limit = 8

    static func register(on routes: PageRoutes) {
        routes.get("/places/suggestions") { visit in
            let typed = (visit.query("q") ?? "").trimmed
            // Where the one is who types; else what the page is about, from which nobody wants to know the distance.
            let here = Position(written: visit.query("here"))
            let near = here ?? Position(written: visit.query("near"))
            let found = try await search(typed, near: near, in: visit, within: 2)
            return visit.fragment("places/options", PlaceOptions(found, from: here, in: visit))
        }
    }

    /// The best first. Too little or too much of a text finds nothing.
    static func search(
        _ text: String, near: Position?, in visit: Visit, within seconds: Double = 5
    ) async throws -> PlaceSuggestions {
        let kind = PlaceKind(rawValue: visit.query("kind") ?? "")
        let query = PlaceQuery(q: text, near: near, kind: kind, limit: limit, language: visit.words.code)
        do {
            return try await visit.ask(PlacesMethods.search, query, Nothing(), within: seconds)
        } catch let error as ServiceError where error.code == .invalid {
            return PlaceSuggestions(items: [])
        }
    }

    private init(_ suggestions: PlaceSuggestions, from here: Position?, in visit: Visit) {
        let found = suggestions.items
        // It becomes part of ids in the page.
        let field = (visit.query("for") ?? "").filter { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-") }
        let target = PlaceTarget(rawValue: visit.query("to") ?? "")
        self.field = field
        options = found.enumerated().map { number, place in
            Option(
                place: PlaceView(place, from: here, in: visit), id: "\(field)-option-\(number)",
                href: target?.href(to: place))
        }
        count = options.count
        leftOut = suggestions.leftOutSaid(in: visit.words)
        said = [visit.words["places.count", count: found.count], leftOut].compactMap(\.self).joined(separator: " ")
        attribution = found.attribution
    }
}

extension PlaceSuggestions {
    /// Left out of the question: “Netherlands”; nil where nothing was.
    func leftOutSaid(in words: Words) -> String? {
        guard let leftOut, !leftOut.isEmpty else { return nil }
        let quoted = leftOut.map { words["places.foundBy", ["name": $0]] }.joined(separator: ", ")
        return words["places.leftOut", ["words": quoted]]
    }
}

/// Where a place leads that was searched for.
enum PlaceTarget: String {
    /// Free spots around it.
    case parking
    /// What is near it.
    case places

    func href(to place: Place) -> String {
        "/\(rawValue)?near=\(LocalPath.encoded(place.position.written))&place=\(place.id)"
    }
}
