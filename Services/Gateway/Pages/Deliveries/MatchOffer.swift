import FoundationEssentials
import WireProtocol

/// An offer before the one who may bring it: how long they have, and the two answers (`matches/offer`).
struct MatchOffer {
    var until: String
    /// `4:07 left`
    var left: String
    /// How much of the time is over, of a hundred: for the ring.
    var over: String
    /// For scripts, which count down.
    var whole: String
    /// After how many seconds the page is looked at anew where there are no scripts, and where.
    var end: String
    var page: String
    /// That it was their turn.
    var isTurn: Bool
    var accept: MatchButton
    var decline: MatchButton?
    /// In how many minutes the food is ready.
    var ready: Field

    private static let minutes = [0, 5, 10, 15, 20, 30, 45]

    /// Nil where there is nothing to answer.
    init?(_ match: DeliveryMatch, in visit: Visit) {
        guard match.role == .deliverer, match.possible.contains(.accept), let end = match.expiresAt else { return nil }
        let words = visit.words
        let whole = max(1, end.timeIntervalSince(match.offeredAt))
        let seconds = max(0, end.timeIntervalSince(visit.now))
        until = WireJSON.text(of: end)
        (self.end, page) = (String(Int(seconds) + 1), match.path)
        left = words["matches.left", ["time": SecondsLeft.text(of: seconds)]]
        over = String(Int((100 * (1 - min(1, seconds / whole))).rounded()))
        self.whole = String(Int(whole))
        isTurn = match.isTurn
        accept = MatchButton(.accept, on: match, in: words)
        decline = match.possible.contains(.decline) ? MatchButton(.decline, on: match, in: words) : nil
        ready = Field("minutes", words["matches.ready.label"]).with {
            $0.options = Self.minutes.map {
                Field.Option(
                    value: String($0), text: $0 == 0 ? words["matches.ready.now"] : words["share.minutes", count: $0],
                    chosen: $0 == 0)
            }
        }
    }
}
