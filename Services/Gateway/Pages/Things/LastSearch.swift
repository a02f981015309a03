import Hummingbird
import PlainText
import WireProtocol

/// What was looked for last among the things of a kind, kept on the device, so that one comes back to it.
extension Visit {
    /// The address of the list as it was left, without days that are over: nothing is offered for them any more.
    func lastSearch(of kind: ThingKind) -> String {
        guard let query = request.cookies[kind.cookie]?.value.nonEmpty else { return kind.path }
        var pairs = query.split(separator: "&")
        let today = WallTime(at: now, in: community.zone).day
        let from = pairs.first { $0.utf8.starts(with: "from=".utf8) }
        if let day = from.flatMap({ CivilDay(Substring($0.utf8.dropFirst(5).prefix(10))) }), day < today {
            pairs.removeAll { $0.utf8.starts(with: "from=".utf8) || $0.utf8.starts(with: "until=".utf8) }
        }
        guard !pairs.isEmpty else { return kind.path }
        return LocalPath.from("\(kind.path)?\(pairs.joined(separator: "&"))") ?? kind.path
    }

    /// The answer with what is looked for now, where that is not what the device has already.
    func remembering(_ search: ThingSearch, in response: Response) -> Response {
        let (query, known) = (search.query, request.cookies[search.kind.cookie]?.value ?? "")
        guard query != known, query.utf8.count < 1000 else { return response }
        var response = response
        remember(query, in: search.kind.cookie, on: &response)
        return response
    }

    /// Whoever comes to this device next is not told what was looked for, and near which place.
    func forgetSearches(on response: inout Response) {
        for cookie in verticals.flatMap({ $0.searchCookies }) where request.cookies[cookie] != nil {
            remember("", in: cookie, on: &response)
        }
    }

    /// Keeps a search on the device; an empty one is forgotten.
    func remember(_ query: String, in cookie: String, on response: inout Response) {
        response.setCookie(
            Cookie(
                name: cookie, value: query, maxAge: query.isEmpty ? 0 : 30 * 24 * 3600, path: "/",
                secure: community.isSecure, httpOnly: true, sameSite: .lax))
    }
}

extension ThingKind {
    var cookie: String { "kampong_\(rawValue)s" }
}
