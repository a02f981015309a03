import WireProtocol

/// A review in a list, as `reviews/card` shows it.
struct ReviewCard {
    var author: PersonView
    var stars: Stars
    var about: String
    var text: String
    var when: Moment?
    var reply: String?
    var replyTitle: String
    /// Where the one whom it is about replies; nil for others.
    var replyHref: String?
    var replyText: String
    /// Where others report it.
    var reportHref: String?
    var reportLabel: String
    /// Why moderators have hidden it.
    var hidden: String?

    init(_ review: Review, about name: String, in visit: Visit) {
        let words = visit.words
        author = PersonView(review.author, badge: visit.badge(of: review.author.campus))
        stars = Stars(review.rating, in: words)
        about = words["review.kind.\(review.subject.kind.rawValue)"]
        text = review.text
        when = review.publishedAt.map { visit.moment($0, .date) }
        reply = review.reply?.text
        replyTitle = words["review.replyOf", ["name": name]]
        let isMine = review.publishedAt != nil && review.about == visit.context.caller.person
        replyHref = isMine ? "/reviews/\(review.id)/reply" : nil
        let isOwn = review.author.id == visit.context.caller.person
        reportHref = isOwn || review.publishedAt == nil ? nil : Subject(review.id).reportHref
        reportLabel = words["report.title.review"] + ": " + review.author.name
        hidden = review.hidden.map { words["review.hidden", ["reason": $0.reason]] }
        replyText = words[review.reply == nil ? "review.reply" : "review.changeReply"]
    }
}
