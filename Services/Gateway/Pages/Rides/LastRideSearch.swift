import Hummingbird
import PlainText
import WireProtocol

/// What was looked for last among rides, kept on the device, so that one comes back to it.
extension Visit {
    static let rideCookie = "kampong_rides"

    /// The address of what was looked for, without a day that is over.
    var lastRideSearch: String {
        guard let query = request.cookies[Self.rideCookie]?.value.nonEmpty else { return RidesVertical.path }
        var pairs = query.split(separator: "&")
        let today = WallTime(at: now, in: community.zone).day
        let said = pairs.first { $0.utf8.starts(with: "day=".utf8) }
        if let day = said.flatMap({ CivilDay(Substring($0.utf8.dropFirst(4))) }), day < today {
            pairs.removeAll { $0.utf8.starts(with: "day=".utf8) || $0.utf8.starts(with: "time=".utf8) }
        }
        return LocalPath.from("\(RideSearch.path)?\(pairs.joined(separator: "&"))") ?? RidesVertical.path
    }

    /// The answer with what is looked for now, where that is not what the device has already.
    func remembering(_ search: RideSearch, in response: Response) -> Response {
        let (query, known) = (search.query, request.cookies[Self.rideCookie]?.value ?? "")
        guard query != known, query.utf8.count < 1000 else { return response }
        var response = response
        remember(query, in: Self.rideCookie, on: &response)
        return response
    }
}
