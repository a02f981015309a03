import FoundationEssentials
import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/wanted/{id}`: a standing search: what it looks for, how it stands, what may be done with it, and what it has found.
struct WantedPage {
    struct Act {
        var action: String
        var icon: String
        var text: String
        /// Whether it is what is done next.
        var isMain: Bool
    }

    /// How long before its end it is asked whether it goes on.
    private static let notice: TimeInterval = 3 * 86_400

    var id: String
    var sentence: String
    /// Its state as events name it, for the script.
    var stage: String
    var state: String
    var tone: String
    /// Why it is shown instead of what was to be done.
    var problem: String?
    /// To one's searches, where these are too many.
    var mine: String?
    /// What is to be known of its state, beside its name.
    var said: String?
    /// Until when it looks; nil where it has ended.
    var until: Moment?
    var last: Moment?
    /// That others see it.
    var seen: WantedSeen?
    var acts: [Act]
    var change: String?
    var remove: String
    /// Whether the time for which it looked is over: it is not renewed, but searched for anew.
    var isOver: Bool
    /// What is there now, by the search of its vertical.
    var list: String?
    var listText: String
    var key = Visit.newKey()
    var finds: WantedFinds
    var back = WantedPages.path

    static func register(on routes: PageRoutes) {
        routes.get("/wanted/{id}") { visit in
            let wanted = try await visit.ownWanted()
            let part = visit.isFragment ? visit.fragmentTarget : nil
            guard part == "finds" || part == "more" else { return try await show(wanted, visit) }
            let finds = try await finds(of: wanted, visit)
            return visit.fragment(part == "more" ? "wanted/find-rows" : "wanted/finds", finds)
        }
    }

    /// - Parameter problem: why what was wanted did not happen.
    static func show(
        _ wanted: Wanted, problem: String? = nil, mine: String? = nil, _ visit: Visit,
        status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        async let noted: Void = visit.markRead(about: Subject(wanted.id))
        async let sentence = visit.sentence(of: wanted.query)
        async let seen = WantedSeen(wanted, in: visit)
        async let list = now(wanted, visit)
        let finds = try await finds(of: wanted, visit)
        var page = WantedPage(wanted, await sentence, finds, in: visit)
        page.list = await list ?? page.list
        (page.problem, page.mine) = (problem, mine)
        page.seen = await seen
        // Before the bell is counted.
        await noted
        let frame = PageFrame(
            title: page.sentence, tab: .me, width: "middle", scripts: ["wanted"],
            styles: wanted.query.styles)
        return try await visit.page("wanted/wanted", page, frame, status: status)
    }

    /// The search for what is there now, where its address has names of places in it. A day that is over is left to who looks.
    private static func now(_ wanted: Wanted, _ visit: Visit) async -> String? {
        if let deliverers = wanted.query.deliverers { return await WantedDeliverers(deliverers, in: visit).list }
        guard let rides = wanted.query.rides else { return nil }
        var search = await RideSearch(rides, in: visit)
        let today = WallTime(at: visit.now, in: visit.community.zone).day
        let isPast = CivilDay(search.day).map { $0 < today } ?? false
        if wanted.state == .ended || isPast || !search.errors.isEmpty { (search.day, search.time) = ("", "") }
        return search.path()
    }

    /// What it has found.
    private static func finds(of wanted: Wanted, _ visit: Visit) async throws -> WantedFinds {
        let query = WantedFindQuery(id: wanted.id, limit: WantedFinds.limit, cursor: visit.query("cursor"))
        let found = try await visit.askUnlessAway(MatchingMethods.wantedFinds, query)
        var ends: Set<Position> = []
        if let rides = wanted.query.rides, found?.items.contains(where: { $0.ride != nil }) == true {
            ends = [rides.from, rides.to]
        }
        if let to = wanted.query.deliverers?.to, found?.items.contains(where: { $0.deliverer != nil }) == true {
            ends = [to]
        }
        // What comes into the list by itself may not be looked at.
        let isLookedAt = !(visit.isFragment && visit.fragmentTarget == "finds")
        async let noted: Void = visit.markRead(isLookedAt ? found?.items ?? [] : [])
        let finds = WantedFinds(found, of: wanted, named: await visit.placeNames(at: ends), in: visit)
        await noted
        return finds
    }

    private init(_ wanted: Wanted, _ sentence: String, _ finds: WantedFinds, in visit: Visit) {
        let words = visit.words
        id = wanted.id.description
        self.sentence = sentence
        (stage, state, tone) = (wanted.state.rawValue, wanted.state.text(in: words), wanted.state.tone)
        self.finds = finds
        last = wanted.lastFoundAt.map { visit.moment($0, .ago) }
        until = wanted.state == .ended ? nil : visit.moment(wanted.expiresAt - 1, .date)
        let isBound = wanted.endsByItself(in: visit.community.zone)
        isOver = isBound && wanted.state == .ended
        let isNear = wanted.expiresAt.timeIntervalSince(visit.now) <= Self.notice
        let endsSoon = wanted.state != .ended && !isBound && isNear
        let states = [isOver ? "over" : wanted.state.rawValue] + (endsSoon ? ["due"] : [])
        said = states.compactMap { words.find("wanted.said.\($0)") }.joined(separator: " ").nonEmpty
        change = wanted.state == .ended ? nil : "\(wanted.path)/edit"
        remove = "\(wanted.path)/delete"
        var query = wanted.query
        if isOver {
            query.things?.from = nil
            query.things?.until = nil
        }
        list = query.list(currency: visit.community.currency)
        listText = words[isOver ? "wanted.again" : "wanted.list"]
        func act(_ name: String, _ icon: String, isMain: Bool = false) -> Act {
            Act(action: "\(wanted.path)/\(name)", icon: icon, text: words["wanted.act.\(name)"], isMain: isMain)
        }
        switch wanted.state {
        case .live: acts = [act("pause", "pause")]
        case .paused: acts = [act("go-on", "search", isMain: true)]
        case .ended: acts = []
        }
        if !isBound { acts.append(act("renew", "refresh", isMain: wanted.state == .ended || endsSoon)) }
    }
}

/// What a search has found (`wanted/finds`), the latest first, each as it is now.
struct WantedFinds {
    /// A vertical more adds its card here; where there is none, it is gone.
    struct Row {
        var spot: SpotCard?
        var thing: ThingCard?
        var ride: RideCard?
        var deliverer: DelivererCard?
        var gone: Moment?
    }

    /// As many as a list has that follows what happens (`livelist.js`).
    static let limit = 20

    var heading: String
    var rows: [Row]
    var any: Bool
    var empty: String
    var more: String?
    /// The address of this list, to be loaded anew when something happens.
    var `self`: String
    /// Whether something that happens changes this list: not a later page of it.
    var live: Bool

    /// - Parameters:
    ///   - found: nil where whoever has it is away.
    ///   - names: what the ends of a ride are called, or where something is to be brought, as far as anybody knows.
    init(
        _ found: Page<WantedFind>?, of wanted: Wanted, named names: [Position: String], in visit: Visit
    ) {
        let words = visit.words
        rows = (found?.items ?? []).map { Row($0, of: wanted.query, named: names, in: visit) }
        any = !rows.isEmpty
        // What was there when it began is not counted.
        heading =
            any && wanted.found == 0 ? words["wanted.found.already"] : words["wanted.found.count", count: wanted.found]
        empty = words[found == nil ? "wanted.found.away" : "wanted.found.\(wanted.state.rawValue)"]
        more = found?.next.map { "\(wanted.path)?cursor=\(LocalPath.encoded($0))" }
        self.`self` = wanted.path
        live = visit.query("cursor") == nil
    }
}

extension WantedFinds.Row {
    fileprivate init(
        _ find: WantedFind, of query: WantedQuery, named names: [Position: String], in visit: Visit
    ) {
        if let found = find.spot {
            spot = SpotCard(found, from: query.spots?.near, in: visit)
            spot?.found = true
        } else if let found = find.thing {
            thing = ThingCard(found, in: visit)
            thing?.href = found.path + FoundBox.query(from: query.things?.from, until: query.things?.until)
            thing?.found = true
        } else if let found = find.ride {
            ride = RideCard(found, in: visit)
            let part = query.rides.map { SoughtPart(found, $0, named: names).query } ?? ""
            ride?.ride.href += part.isEmpty ? FoundBox.query(from: nil, until: nil) : "\(part)&found=yes"
            ride?.found = true
        } else if let card = find.deliverer.flatMap({ DelivererCard($0, of: query, named: names, in: visit) }) {
            deliverer = card
        } else {
            gone = visit.moment(find.foundAt, .ago)
        }
    }
}
