import FoundationEssentials
import WireProtocol

/// What is allowed of seeking, in every community.
enum SeekingLimits {
    /// Drivers of so many rides are told of a search.
    static let announced = 10
    /// Of so many of the best it is looked at whether their drivers may know of it.
    static let considered = 50
    /// Of so many searches the driver of a ride is told within a day.
    static let perRide = 3
    /// So many people one driver invites within a day.
    static let invitations = 30
    static let day: TimeInterval = 86_400
    /// So many who seek along a ride are looked at, the newest first.
    static let along = SearchJudging.largest
    /// When rides is asked again for regions: where it did not answer, or has only begun to ask Places; and where they are not known.
    static let again: (unanswered: TimeInterval, unknown: TimeInterval) = (60, 600)
    /// When drivers are told where rides did not answer.
    static let announcingAgain: TimeInterval = 30
}

// What becomes of a search that others may see. No I/O and no clock.

extension WantedSearch {
    var isVisible: Bool { seeking != nil }

    /// What others may know of it after a change; nil where they do not see it.
    /// - Parameters:
    ///   - isVisible: what its person says of that. Where they say nothing it stays, of a ride.
    ///   - asked: what rides says, where it was asked.
    func shown(
        since before: WantedSearch, isVisible: Bool?, _ asked: Result<Seeking, any Error>?
    ) throws -> Seeking? {
        guard isVisible ?? (before.isVisible && query.rides != nil) else { return nil }
        if query == before.query, let known = before.seeking { return known }
        // Nobody saw it when rides was to be asked.
        guard let asked else { throw WantedError.changedMeanwhile(before.version) }
        return try asked.get()
    }

    /// Others see it so from now on, or no more. It does not begin anew by that.
    func show(_ shown: Seeking?, at now: Date) throws(WantedError) -> WantedSearch {
        if shown == seeking { return self }
        guard state != .ended else { throw .ended }
        var after = self
        if shown == nil {
            after.announceDue = nil
        } else if seeking == nil, state == .live {
            after.announceDue = now
        }
        after.seeking = shown
        after.regionsDue = shown.flatMap { $0.isPlaced ? nil : now + SeekingLimits.again.unanswered }
        return after
    }
}

extension Seeking {
    /// Whether it is known in which regions it begins and ends.
    var isPlaced: Bool { from.region != nil && to.region != nil }
}

extension WantedError {
    /// Others see who seeks a ride, and nothing else.
    static let onlyRides = WantedError.invalid([
        FieldError("isVisible", "not_allowed", "Only a ride can be sought so that others see it.")
    ])
}

extension WantedUseCases {
    /// What others may know of a search that is made. Asked before anything is locked; what is wrong with it is thrown where it is used, as of `prepared`.
    func sought(_ query: Result<WantedQuery, any Error>) async -> Result<Seeking, any Error> {
        do {
            let query = try query.get()
            guard query.rides != nil else { return .failure(WantedError.onlyRides) }
            return .success(try await seeking.seeking(query))
        } catch { return .failure(error) }
    }

    /// The same of one that is changed; nil where nobody is to see it, or what they may know of it stays.
    func sought(
        _ change: WantedChange, _ prepared: Result<PreparedSearch, any Error>, of seen: WantedSearch?
    ) async -> Result<Seeking, any Error>? {
        guard let seen, change.isVisible ?? seen.isVisible else { return nil }
        if change.query != nil { return await sought(prepared.map(\.query)) }
        return seen.isVisible ? nil : await sought(.success(seen.query))
    }
}
