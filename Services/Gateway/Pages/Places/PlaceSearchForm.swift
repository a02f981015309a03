import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// The form that looks for a place that one is not at (`places/search`). With scripts its suggestions lead there at once; without them
/// it leads to `PlaceMatchesPage`.
struct PlaceSearchForm {
    var action: String
    var to: String
    var label: String
    var value = ""
    var error: String?
    /// Where places are looked for first, where the person's own position is not known.
    var near: String

    init(_ target: PlaceTarget, near: Position, in visit: Visit) {
        (action, to) = ("/\(target.rawValue)", target.rawValue)
        label = visit.words[target == .parking ? "places.searchParking" : "places.searchPlaces"]
        self.near = near.written
    }
}

/// What is called as somebody has typed: which one is meant?
struct PlaceMatchesPage {
    struct Match {
        var place: PlaceView
        var href: String
    }

    var search: PlaceSearchForm
    var back: String
    var heading: String
    var problem: String?
    var matches: [Match] = []
    var any = false
    /// Whether it was looked for, and is not there.
    var none = false
    var attribution: String?
    /// What of the text was left out, as it is said.
    var leftOut: String?

    /// The answer to a search (`?q=`), or nil where nothing is searched for.
    static func answer(_ target: PlaceTarget, in visit: Visit) async throws -> Response? {
        guard let typed = visit.query("q")?.trimmed else { return nil }
        let near = Position(written: visit.query("near")) ?? visit.community.center
        var page = PlaceMatchesPage(typed, target, near: near, in: visit)
        var status = HTTPResponse.Status.ok
        if typed.count(where: { $0.isLetter || $0.isNumber }) < 2 {
            page.search.error = visit.words["field.q.too_short"]
            status = .unprocessableContent
        } else {
            do {
                page.show(try await PlaceOptions.search(typed, near: near, in: visit), target, in: visit)
            } catch let error as ServiceError {
                page.problem = visit.words["places.away"]
                status = ProblemStatus.status(of: error.code)
            }
        }
        let frame = PageFrame(title: page.heading, tab: .map, width: "middle", scripts: ["combobox"])
        return try await visit.page("places/matches", page, frame, status: status)
    }

    private init(_ typed: String, _ target: PlaceTarget, near: Position, in visit: Visit) {
        search = PlaceSearchForm(target, near: near, in: visit)
        search.value = typed
        back = search.action
        heading = visit.words["places.matches", ["name": typed]]
    }

    private mutating func show(_ suggestions: PlaceSuggestions, _ target: PlaceTarget, in visit: Visit) {
        let found = suggestions.items
        leftOut = suggestions.leftOutSaid(in: visit.words)
        matches = found.map { Match(place: PlaceView($0, in: visit), href: target.href(to: $0)) }
        (any, none) = (!found.isEmpty, found.isEmpty)
        attribution = found.attribution
    }
}
