import DurableMessaging
import FoundationEssentials
import Messaging
import WireProtocol

/// What a community allows of standing searches.
struct WantedLimits: Hashable, Sendable {
    /// How many a person may have that have not ended.
    var perPerson = 20
    /// How many days one lasts unless it is renewed.
    var days = 60
    /// The most that may have appeared in the last 30 days of which it would have told.
    var widest = 3000

    /// Of the JSON that says what is looked for.
    static let longestQuery = 8192
    /// How far back is counted for an estimate.
    static let estimated: TimeInterval = 30 * 86_400
    /// How long before its end its person is asked whether they still look for it.
    static let notice: TimeInterval = 3 * 86_400
    /// How long it can be renewed once it has ended.
    static let kept: TimeInterval = 30 * 86_400
}

/// What somebody looks for, as its service has read it and looked for it once.
struct PreparedSearch: Hashable, Sendable {
    var service: PeerRole
    var query: WantedQuery
    /// Those of the anchor that the fewest have.
    var keys: [SearchKey]
    /// Whatever it finds has each of these, too.
    var required: [SearchKey] = []
    var around: ReadSearch.Circle?
    /// When it can find nothing any more, by its own words.
    var until: Date?
    var estimate: WantedEstimate
    /// What it finds now.
    var fitting: [Subject]
    /// How far its service had been heard of before it was asked that; nil where it does not say what may be missing.
    var heard: StreamOffset?
}

// What becomes of a search. No I/O and no clock.

extension WantedSearch {
    /// Names what it looks for.
    var version: String? { ContentVersion.of(query) }

    /// - Parameter open: how many searches the person has that have not ended.
    static func post(
        _ prepared: PreparedSearch, id: WantedID, by person: PersonID, having open: Int, at now: Date,
        within limits: WantedLimits
    ) throws(WantedError) -> WantedSearch {
        guard open < limits.perPerson else { throw .tooMany(limit: limits.perPerson) }
        var search = WantedSearch(
            id: id, person: person, service: prepared.service, query: prepared.query, keys: prepared.keys,
            state: .live, createdAt: now, changedAt: now, expiresAt: now, dueAt: now, isSettled: false)
        try search.begin(prepared, at: now)
        try search.last(until: prepared.until, from: now, within: limits)
        return search
    }

    /// It looks for something else, and lasts as one that is new. What is the same again changes nothing.
    /// - Parameter seen: the version that was changed; any will do where nil.
    func change(
        to prepared: PreparedSearch, expecting seen: String?, at now: Date, within limits: WantedLimits
    ) throws(WantedError) -> WantedSearch {
        guard state != .ended else { throw .ended }
        if prepared.query == query { return self }
        guard ContentVersion.allows(seen, version) else { throw .changedMeanwhile(version) }
        var after = self
        try after.begin(prepared, at: now)
        try after.last(until: prepared.until, from: now, within: limits)
        return after
    }

    func pause(at now: Date) throws(WantedError) -> WantedSearch {
        guard state != .ended else { throw .ended }
        if state == .paused { return self }
        var after = self
        (after.state, after.changedAt, after.isSettled) = (.paused, now, true)
        (after.digestAt, after.announceDue) = (nil, nil)
        return after
    }

    /// What appeared while it was paused counts as there already.
    func goOn(_ prepared: PreparedSearch, at now: Date) throws(WantedError) -> WantedSearch {
        guard state != .ended else { throw .ended }
        if state == .live { return self }
        var after = self
        after.state = .live
        try after.begin(prepared, at: now)
        return after
    }

    /// It lasts as one that is new; what had ended begins again.
    func renew(
        _ prepared: PreparedSearch, having open: Int, at now: Date, within limits: WantedLimits
    ) throws(WantedError) -> WantedSearch {
        var after = self
        if state == .ended {
            guard open < limits.perPerson else { throw .tooMany(limit: limits.perPerson) }
            after.state = .live
            try after.begin(prepared, at: now)
        }
        try after.last(until: prepared.until, from: now, within: limits)
        return after
    }

    func end(at now: Date) -> WantedSearch {
        if state == .ended { return self }
        var after = self
        (after.state, after.changedAt, after.isSettled) = (.ended, now, true)
        (after.dueAt, after.remindAt, after.digestAt) = (now + WantedLimits.kept, nil, nil)
        after.announceDue = nil
        return after
    }

    /// As time has made it, whether or not the rounds came by.
    func asItIs(at now: Date) -> WantedSearch { state != .ended && dueAt <= now ? end(at: dueAt) : self }

    /// From now on it is listed for this; where it is live it is to be seen what is there.
    private mutating func begin(_ prepared: PreparedSearch, at now: Date) throws(WantedError) {
        guard !prepared.estimate.isTooWide else { throw .tooWide }
        (service, query) = (prepared.service, prepared.query)
        (keys, required) = (prepared.keys, prepared.required)
        around = prepared.around.map { ReadSearch.Circle(middle: $0.middle.settled, radius: $0.radius) }
        (changedAt, isSettled, digestAt) = (now, state != .live, nil)
        seenAt = now
        // Who drives along its way is told anew.
        announceDue = isVisible && state == .live ? now : nil
    }

    /// Nobody is asked to renew what ends by its own words.
    private mutating func last(
        until: Date?, from now: Date, within limits: WantedLimits
    ) throws(WantedError) {
        let whole = now + Double(limits.days) * 86_400
        if let until, until <= now { throw .over }
        // Who asks for more looks.
        seenAt = now
        expiresAt = min(whole, until ?? whole)
        dueAt = expiresAt
        let asking = expiresAt - WantedLimits.notice
        remindAt = expiresAt == whole && asking > now ? asking : nil
    }
}

extension Wanted {
    /// As its person sees it.
    init(_ search: WantedSearch, at now: Date) {
        let search = search.asItIs(at: now)
        self.init(
            id: search.id, query: search.query, isVisible: search.query.rides.map { _ in search.isVisible },
            state: search.state, createdAt: search.createdAt, expiresAt: search.expiresAt, found: search.found,
            lastFoundAt: search.lastFoundAt, version: search.version ?? "")
    }
}
