import WireProtocol

/// A delivery in a list (`matches/row`).
struct MatchRow {
    /// Its place in an order.
    var number: Int?
    var href: String
    var title: String
    var items: String
    var state: String
    var tone: String
    var said: TimedSentence
    /// Who the other one is, and as what one was in it.
    var person: PersonView
    var role: String
    var when: Moment
    /// What was owed.
    var sum: String?
    var review: String?

    /// - Parameter reviews: what one may still review.
    init(_ match: DeliveryMatch, number: Int? = nil, _ reviews: [Encounter] = [], in visit: Visit) {
        let words = visit.words
        self.number = number
        href = match.path
        title = match.title
        items = match.items
        (state, tone, said) = (match.stateText(in: words), match.stateTone, match.said(in: visit))
        person = PersonView(match.other, in: visit)
        role = words["matches.as.\(match.role?.rawValue ?? "moderator")"]
        when = visit.moment(match.changedAt, .ago)
        sum = match.owed.map { Price.text($0, in: words) }
        let isOpen = reviews.contains { $0.subject == match.encounter }
        review = isOpen ? match.encounter.reviewPath(of: match.other.id) : nil
    }
}
