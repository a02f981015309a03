import FoundationEssentials
import HTTPTypes
import Hummingbird
import WireProtocol

/// Where the deliverer is, as they show it (`matches/live`): in words, and for the map. `/matches/{id}/live` says it anew; `POST /matches/{id}/hide` shows it no more.
struct MatchLive {
    var match: String
    /// `240 m away, about 3 minutes`; that it is not known just now where that is so.
    var text: String
    /// How many others are brought before.
    var before: String?
    var seen: Moment?
    /// Longer ago than one would go by it.
    var isOld: Bool
    /// `lat,lng`
    var at: String?

    private static let fresh = 60.0

    static func register(on routes: PageRoutes) {
        routes.get("/matches/{id}/live") { visit in
            try visit.context.requirePerson()
            let id: MatchID = try visit.id()
            guard visit.isFragment else { return visit.redirect(to: "/matches/\(id)") }
            return visit.fragment("matches/live", try await MatchLive(of: id, visit))
        }
        routes.post("/matches/{id}/hide") { visit in
            try visit.context.requirePerson()
            let (form, id) = (try await visit.form(), try visit.id(MatchID.self))
            do {
                _ = try await visit.command(
                    MatchingMethods.hidePosition, MatchReference(id: id), Nothing(), of: form)
            } catch let error as ServiceError where [.wrongState, .idempotencyMismatch].contains(error.code) {
                // It is over, and shown no more.
            }
            return visit.redirect(to: "/matches/\(id)", done: "match.hidden")
        }
    }

    /// Others than the two read that it is not shown.
    init(of id: MatchID, _ visit: Visit) async throws {
        let (words, asked) = (visit.words, MatchReference(id: id))
        match = id.description
        do {
            let found = try await visit.ask(MatchingMethods.position, asked, Nothing(), within: 2)
            let way = Distance.reach(found.metres, in: words)
            let time = found.seconds.map { words["share.minutes", count: max(1, ($0 + 30) / 60)] }
            text =
                time.map { words["matches.live.time", ["way": way, "time": $0]] }
                ?? words["matches.live.way", ["way": way]]
            before = found.stopsBefore > 0 ? words["matches.live.before", count: found.stopsBefore] : nil
            seen = visit.moment(found.at, .ago)
            isOld = visit.now.timeIntervalSince(found.at) >= Self.fresh
            at = found.position.written
        } catch let error as ServiceError where error.code != .unauthenticated {
            text = words["matches.live.none"]
            isOld = true
        }
    }
}
