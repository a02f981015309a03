import FoundationEssentials
import HTTPTypes
import Hummingbird
import WireProtocol

/// `/matches/{id}`: one order with one deliverer, for the two and for moderators: first as an offer, then as a delivery. How it stands, what comes next, and what one may do.
struct MatchPage {
    struct Statement {
        var name: String
        var text: String
        var at: Moment
    }

    var id: String
    /// `Unicafe → Exactum`
    var title: String
    /// Its state as events name it, for the script.
    var stage: String
    var role: String
    var state: String
    var tone: String
    var said: TimedSentence
    /// Why it is shown instead of what was to be done.
    var problem: String?
    var back: String
    var backText: String
    var items: String
    var offer: MatchOffer?
    var next: [MatchButton]
    var more: [MatchButton]
    var anyMore: Bool
    /// The four digits that complete it for both, to the orderer.
    var code: String?
    var live: MatchLive?
    var showing: MatchShowing?
    var stops: [MatchStop]
    var map: WayMap?
    var facts: MatchFacts
    /// What was said with what was done last, and by whom.
    var reason: String?
    var reasonBy: String?
    var statements: [Statement]
    var anyStatements: Bool
    var parties: [PartyView]
    var message: MessageButton?
    var phone: String?
    var callLabel: String
    var reviewHref: String?
    var reviewText: String
    /// To the order, for who has placed it.
    var order: String?
    var report: String?
    /// Looked at anew where there are no scripts.
    var refresh: String?

    static func register(on routes: PageRoutes) {
        routes.get("/matches/{id}") { visit in
            try visit.context.requirePerson()
            return try await show(try await match(visit), visit)
        }
    }

    static func match(_ visit: Visit) async throws -> DeliveryMatch {
        try await visit.ask(MatchingMethods.match, MatchReference(id: visit.id()), Nothing())
    }

    /// - Parameter problem: why what was wanted did not happen.
    static func show(
        _ match: DeliveryMatch, problem: String? = nil, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        async let phone = contact(of: match, visit)
        async let mayReview = mayReview(match, visit)
        async let map = match.role == nil || match.state.isOver ? nil : WayMap(of: match, in: visit)
        async let live = isSeen(match) ? try? MatchLive(of: match.id, visit) : nil
        async let noted: Void = visit.markRead(about: Subject(match.id))
        var page = MatchPage(match, in: visit)
        (page.problem, page.map, page.live, page.phone) = (problem, await map, await live, await phone)
        if !(await mayReview) { page.reviewHref = nil }
        // Before the bell is counted.
        await noted
        let frame = PageFrame(
            title: visit.words["matches.page", ["title": page.title]], tab: .home, width: "middle",
            usesMap: page.map != nil, scripts: ["match"], styles: ["rentals", "rides", "deliveries"])
        return try await visit.page("matches/match", page, frame, status: status)
    }

    /// The other's number, while it is in hand. The page does without it where it can't be had.
    static func contact(of match: DeliveryMatch, _ visit: Visit) async -> String? {
        guard match.role != nil, match.isInHand else { return nil }
        let asked = MatchReference(id: match.id)
        return try? await visit.ask(MatchingMethods.contact, asked, Nothing(), within: 2).phone
    }

    /// Whether the orderer is shown where it is.
    private static func isSeen(_ match: DeliveryMatch) -> Bool {
        match.role == .orderer && match.state == .pickedUp && match.isShared
    }

    private static func mayReview(_ match: DeliveryMatch, _ visit: Visit) async -> Bool {
        guard match.role != nil, [.completed, .settled].contains(match.state) else { return false }
        let completed = match.state == .completed ? match.changedAt : nil
        return await visit.mayReview(match.encounter, of: match.other.id, completed: completed)
    }
}

extension MatchPage {
    private init(_ match: DeliveryMatch, in visit: Visit) {
        let words = visit.words
        id = match.id.description
        title = match.title
        (stage, role) = (match.state.rawValue, match.role?.rawValue ?? "moderator")
        (state, tone) = (match.stateText(in: words), match.stateTone)
        said = match.said(in: visit)
        (back, backText) = Self.back(from: match, in: words)
        items = match.items
        offer = MatchOffer(match, in: visit)
        next = MatchButton.all(of: match, areNext: true, in: words)
        more = MatchButton.all(of: match, areNext: false, in: words)
        anyMore = !more.isEmpty
        code = match.role == .orderer ? match.code : nil
        showing = MatchShowing(match, in: visit)
        stops = MatchStop.all(of: match, in: visit)
        facts = MatchFacts(match, in: visit)
        // What opened a dispute stands among what was said in it.
        reason = match.state == .disputed && !match.statements.isEmpty ? nil : match.reason
        reasonBy = match.changedBy.map { words["seats.saidBy", ["name": $0.name]] }
        statements = match.statements.map {
            Statement(name: $0.by.name, text: $0.text, at: visit.moment($0.at, .ago))
        }
        anyStatements = !statements.isEmpty
        parties = Self.parties(of: match, in: visit)
        message = MessageButton.about(match, in: visit)
        callLabel = words["rentals.call", ["name": match.other.name]]
        reviewHref = match.encounter.reviewPath(of: match.other.id)
        reviewText = words["review.writeOf", ["name": match.other.name]]
        order = match.role == .orderer ? "/orders/\(match.order)" : nil
        report = match.role == nil ? nil : Subject(match.id).reportHref
        let isWaitedFor = match.role != nil && !match.state.isOver && match.state != .disputed
        // Who answers an offer is left alone with it until its end.
        refresh = isWaitedFor && offer == nil ? match.path : nil
    }

    private static func back(from match: DeliveryMatch, in words: Words) -> (String, String) {
        guard let role = match.role else { return (MatchDisputesPage.path, words["matches.disputes.title"]) }
        let isUnderWay = role == .deliverer && !match.state.isOver
        return isUnderWay
            ? (DeliverPage.path, words["deliver.title"]) : (MatchesPage.path, words["matches.mine"])
    }

    private static func parties(of match: DeliveryMatch, in visit: Visit) -> [PartyView] {
        let people = match.role == nil ? [match.deliverer, match.orderer] : [match.other]
        return people.map { person in
            let role: MatchRole = person.id == match.deliverer.id ? .deliverer : .orderer
            return PartyView(
                person: PersonView(person, in: visit), role: visit.words["matches.role.\(role.rawValue)"])
        }
    }
}

/// Whether a deliverer shows where they are while they bring it (`matches/showing`): by their choice, each time.
struct MatchShowing {
    var isOn: Bool
    var hide: String
    var key: String
    /// To where it is brought.
    var to: String
    /// Who sees it.
    var seenBy: String

    /// Nil where there is nothing to show.
    init?(_ match: DeliveryMatch, in visit: Visit) {
        guard match.role == .deliverer, match.state == .pickedUp else { return nil }
        (isOn, hide, key) = (match.isShared, "\(match.path)/hide", Visit.newKey())
        to = match.dropOff.position.written
        seenBy = visit.words["matches.showing.text", ["name": match.orderer.name]]
    }
}
