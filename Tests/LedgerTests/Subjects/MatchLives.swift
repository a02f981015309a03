import TestKit
import WireProtocol

/// Matches, lived again by their events: nothing is told that cannot follow what was told before, and no order is with two people at any time.
struct MatchLives {
    private(set) var states: [MatchID: MatchState] = [:]
    /// What has brought two together.
    private(set) var met: Set<String> = []
    private var undone: Set<MatchID> = []
    /// Who is asked for an order, or brings it.
    private var with: [OrderID: MatchID] = [:]

    /// In which an order is with somebody, or was brought by them.
    static let live: Set<MatchState> = [
        .offered, .accepted, .pickedUp, .delivered, .received, .completed, .noShow, .disputed, .settled,
    ]
    private static let carried: Set<MatchState> = [.offered, .accepted, .pickedUp]

    /// What was said by mistake to be there has given its hand away.
    func fillsHand(_ match: MatchID) -> Bool {
        states[match].map { Self.carried.contains($0) && !undone.contains(match) } ?? false
    }

    /// Goes on by one event.
    mutating func take(_ event: PublishedEvent) -> Finding? {
        let wrong: (rule: Finding.Rule, why: String)? =
            switch event.type {
            case NewMatch.type: event.newMatch.flatMap { take($0, nil) }
            case MatchUpdate.type: event.matchUpdate.flatMap { take($0.match, $0.what) }
            case EncounterCompleted.type:
                met.insert(event.aggregate).inserted ? nil : (.doubled, "they have met already")
            default: nil
            }
        return wrong.map {
            Finding($0.rule, "\(event.aggregate): \(event.type) at \(event.position ?? -1), although \($0.why)")
        }
    }

    private mutating func take(_ news: MatchNews, _ what: MatchUpdate.Change?) -> (Finding.Rule, String)? {
        let before = states.updateValue(news.state, forKey: news.id)
        if what == .undone { undone.insert(news.id) }
        guard Self.leads(what, from: before, to: news.state) else {
            return (.disorder, "it was \(before?.rawValue ?? "never offered") and is \(news.state)")
        }
        guard Self.live.contains(news.state) else {
            if with[news.order] == news.id { with[news.order] = nil }
            return nil
        }
        let other = with.updateValue(news.id, forKey: news.order)
        return other == nil || other == news.id
            ? nil : (.doubled, "order/\(news.order) is with match/\(other ?? news.id)")
    }

    /// Whether that may become of a match, as the table in `Services/Matching/README.md` says. Nobody disputes, is late, blocked or suspended here.
    private static func leads(_ what: MatchUpdate.Change?, from before: MatchState?, to state: MatchState) -> Bool {
        guard let what else { return before == nil && state == .offered }
        guard let before else { return false }
        return switch what {
        case .accepted: before == .offered && state == .accepted
        case .declined: before == .offered && state == .declined
        case .expired: before == .offered && state == .expired
        case .withdrawn: before == .offered && state == .withdrawn
        case .cancelled: before == .accepted && state == .cancelled
        case .pickedUp: before == .accepted && state == .pickedUp
        case .givenUp: [.accepted, .pickedUp].contains(before) && state == .givenUp
        case .postponed: [.accepted, .pickedUp].contains(before) && state == before
        case .limitRaised: before == .accepted && state == .accepted
        case .delivered: before == .pickedUp && state == .delivered
        case .received: before == .pickedUp && state == .received
        case .completed: [.pickedUp, .delivered, .received].contains(before) && state == .completed
        case .undone: [.delivered, .received].contains(before) && state == .pickedUp
        case .tipped: before == .completed && state == .completed
        case .lapsed, .noShow, .disputed, .explained, .settled, .ended, .shared, .hidden: false
        }
    }
}
