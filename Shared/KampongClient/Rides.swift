import Foundation
public import WireProtocol

// Rides that people share, and seats in them. A command takes the idempotency key of an earlier try; without one it makes its own.

extension KampongClient {
    /// How many rides leave from each region, and go to each.
    public func regionsOfRides() async throws -> Page<RegionOfRides> { try await call(.get, "v1/regions") }

    /// Those that have not left, the soonest first.
    public func rides(_ query: RideQuery = RideQuery()) async throws -> Page<Ride> {
        try await call(
            .get, "v1/rides",
            query: Self.query([
                ("region", query.region), ("direction", query.direction?.rawValue),
                ("by", query.by.map { "\($0)" }), ("series", query.series.map { "\($0)" }),
                ("limit", query.limit.map(String.init)), ("cursor", query.cursor),
            ]))
    }

    /// Rides that lead from one point to another, those first for which the two go the fewest extra metres.
    public func searchRides(_ query: RideSearchQuery) async throws -> FoundRides {
        try await call(
            .get, "v1/rides/search",
            query: Self.query([
                ("from", "\(query.from.latitude),\(query.from.longitude)"),
                ("to", "\(query.to.latitude),\(query.to.longitude)"), ("at", query.at.map(WireJSON.text)),
                ("after", query.after.map(WireJSON.text)), ("before", query.before.map(WireJSON.text)),
                ("seats", query.seats.map(String.init)), ("luggage", query.luggage?.rawValue),
                ("onlyFree", query.onlyFree.map(String.init)), ("noDetour", query.noDetour.map(String.init)),
                ("mostExtra", query.mostExtra.map(String.init)),
                ("onlyVerified", query.onlyVerified.map(String.init)), ("limit", query.limit.map(String.init)),
                ("cursor", query.cursor),
            ]))
    }

    /// What a ride would be; nothing is posted by it.
    public func quote(_ draft: RideDraft) async throws -> RideQuote {
        try await call(.post, "v1/rides/quote", body: draft)
    }

    /// - Throws: `Problem` with code `duplicate` where the person drives such a ride already, which is named in its errors.
    public func postRide(_ draft: RideDraft, key: String? = nil) async throws -> Ride {
        try await call(.post, "v1/rides", body: draft, key: key)
    }

    public func ride(_ id: RideID) async throws -> Ride { try await call(.get, "v1/rides/\(id)") }

    /// What the draft leaves out stays.
    /// - Throws: `Problem` with code `in_use` where the way changes while somebody has a seat, `seats_taken` where fewer seats are left than are
    ///   given.
    public func changeRide(_ id: RideID, with draft: RideDraft, key: String? = nil) async throws -> Ride {
        try await call(.patch, "v1/rides/\(id)", body: draft, key: key)
    }

    /// Calls it off, for good. Whoever has to do with it is told, with the reason.
    /// - Parameter withOther: Whether the other one of outward and return is called off with it, where that is still possible.
    public func removeRide(
        _ id: RideID, reason: String? = nil, withOther: Bool? = nil, key: String? = nil
    ) async throws {
        let removal = RideRemoval(reason: reason, withOther: withOther)
        let _: Nothing = try await call(.delete, "v1/rides/\(id)", body: removal, key: key)
    }

    /// Says that the driver has left.
    public func departRide(_ id: RideID, key: String? = nil) async throws -> Ride {
        try await call(.post, "v1/rides/\(id)/depart", key: key)
    }

    /// Says that the driver has arrived.
    public func arriveRide(_ id: RideID, key: String? = nil) async throws -> Ride {
        try await call(.post, "v1/rides/\(id)/arrive", key: key)
    }

    public func saveRide(_ id: RideID, key: String? = nil) async throws {
        let _: Nothing = try await call(.put, "v1/saved-rides/\(id)", key: key)
    }

    public func unsaveRide(_ id: RideID, key: String? = nil) async throws {
        let _: Nothing = try await call(.delete, "v1/saved-rides/\(id)", key: key)
    }

    /// The person's own, and those that they have to do with.
    public func myRides(_ query: MyRidesQuery = MyRidesQuery()) async throws -> Page<MyRide> {
        try await call(
            .get, "v1/my/rides",
            query: Self.query([
                ("tab", query.tab?.rawValue), ("limit", query.limit.map(String.init)), ("cursor", query.cursor),
            ]))
    }
}

// MARK: Seats

extension KampongClient {
    /// What seats on a part of a ride would be; nothing is asked for by it.
    public func quoteSeat(in ride: RideID, _ draft: SeatDraft = SeatDraft()) async throws -> SeatQuote {
        try await call(.post, "v1/rides/\(ride)/seat-quote", body: draft)
    }

    /// Asks for seats; had at once where the driver lets them be had so.
    /// - Throws: `Problem` with code `sold_out` where there is no seat and the draft does not say that one would wait; `termsChanged` where the
    ///   ride costs or leaves otherwise than the draft expects.
    public func requestSeat(in ride: RideID, _ draft: SeatDraft = SeatDraft(), key: String? = nil) async throws
        -> SeatRequest
    {
        try await call(.post, "v1/rides/\(ride)/requests", body: draft, key: key)
    }

    /// Of one ride: to its driver all, to others their own, the latest first.
    public func seatRequests(
        for ride: RideID, state: SeatState? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws -> Page<SeatRequest> {
        try await call(
            .get, "v1/rides/\(ride)/requests",
            query: Self.query([
                ("state", state?.rawValue), ("limit", limit.map(String.init)), ("cursor", cursor),
            ]))
    }

    /// The person's own, and those for rides that they drive, the latest first.
    public func seatRequests(_ query: SeatRequestQuery = SeatRequestQuery()) async throws -> Page<SeatRequest> {
        try await call(
            .get, "v1/seat-requests",
            query: Self.query([
                ("ride", query.ride.map { "\($0)" }), ("role", query.role?.rawValue),
                ("state", query.state?.rawValue), ("disputed", query.disputed.map(String.init)),
                ("limit", query.limit.map(String.init)), ("cursor", query.cursor),
            ]))
    }

    public func seatRequest(_ id: SeatRequestID) async throws -> SeatRequest {
        try await call(.get, "v1/seat-requests/\(id)")
    }

    /// How the two reach each other, from the acceptance until a day after the arrival.
    public func seatContact(_ id: SeatRequestID) async throws -> SeatContact {
        try await call(.get, "v1/seat-requests/\(id)/contact")
    }

    /// Accepts, rejects, withdraws, keeps, leaves, or what else is among `possible` of the request.
    /// - Throws: `Problem` with code `wrong_state`, whose errors say what is possible instead.
    public func act(
        _ act: SeatAct, on id: SeatRequestID, _ draft: SeatActDraft = SeatActDraft(), key: String? = nil
    ) async throws -> SeatRequest {
        try await call(.post, "v1/seat-requests/\(id)/\(act.path)", body: draft, key: key)
    }
}
