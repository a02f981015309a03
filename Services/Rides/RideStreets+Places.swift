import FoundationEssentials
import Messaging
import WireProtocol

// What Places and auth are asked while somebody waits.

extension RequestClient {
    /// From each point to the next along streets: whoever posts a ride waits for it, a second at most.
    /// - Returns: Nil where some of it is not along streets.
    func legs(of points: [Position]) async throws -> [StreetLeg]? {
        let distinct = points.distinct
        guard distinct.count > 1 else { return nil }
        let route = try await call(
            PlacesMethods.route, PlaceRouteQuery(points: distinct, mode: .driving), Nothing(), deadline: Date() + 1)
        let legs = route.legs.compactMap { StreetLeg($0) }
        return legs.count == distinct.count - 1 ? points.legs(legs) : nil
    }

    func streets(_ question: StreetsQuestion) async throws -> [StreetLeg?] {
        let query = PlaceDistanceQuery(
            from: question.point, to: question.others, mode: .driving, towards: question.isTowards)
        return try await call(
            PlacesMethods.distances, query, Nothing(), deadline: Date() + question.patience
        ).items.map { StreetLeg($0) }
    }

    /// Whoever asks for a seat waits for it.
    func areFriends(_ one: PersonID, _ other: PersonID) async throws -> Bool {
        try await call(
            AuthMethods.areFriends, FriendshipQuery(one: one, other: other), Nothing(), deadline: Date() + 1
        ).areFriends
    }
}

extension StreetLeg {
    /// Nil in a straight line.
    init?(_ distance: PlaceDistance) {
        guard distance.alongStreets, let seconds = distance.seconds else { return nil }
        self.init(metres: distance.metres, seconds: seconds)
    }
}
