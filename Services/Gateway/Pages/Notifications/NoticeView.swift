import WireProtocol

/// One thing that somebody is told, as the inbox and the toast show it.
struct NoticeView {
    var id: String
    /// Who did it, where somebody did.
    var person: PersonView?
    var icon: String
    var text: String
    var time: Moment
    var isNew: Bool
    /// Where it leads: what has not been read becomes so on the way.
    var href: String
    /// The page that shows the thing itself.
    var link: String
    /// Changes when more of the same has come.
    var version: String

    init(_ notice: InboxNotice, in visit: Visit) {
        let words = visit.words
        let person = notice.actor.map { PersonView($0) }
        // In the list one leads to the thing: the face says who it was.
        id = notice.id.description
        self.person = person
        icon = Self.icon(of: notice.kind)
        let values = ["name": person?.name ?? words["inbox.somebody"], "title": notice.title ?? words["notice.yours"]]
        let key = notice.sentence.map {
            notice.actor == nil && words.find("\($0)ByNobody") != nil ? "\($0)ByNobody" : $0
        }
        text =
            key.flatMap { words.find($0, values) }
            ?? words["inbox.kind.\(notice.kind.rawValue)", values, count: notice.count]
        time = visit.moment(notice.at, .ago)
        isNew = notice.readAt == nil
        link = LocalPath.from(notice.link) ?? "/notifications"
        href = isNew ? InboxNotice.way(notice.id, to: link) : link
        version = time.iso
    }

    private static func icon(of kind: InboxNoticeKind) -> String {
        switch kind {
        case .message: "messages"
        case .friendAsked, .friendAccepted: "friends"
        case .spotClaimed, .spotReleased: "park"
        case .reviewPossible, .reviewWritten, .reviewPublished, .reviewReplied: "star"
        case .rentalRequested, .rentalAnswered, .rentalChanged: "car"
        case .rentalDue: "clock"
        case .rentalDisputed, .account: "flag"
        }
    }
}

extension InboxNotice {
    /// The sentence that says more than its kind does.
    fileprivate var sentence: String? {
        switch kind {
        case .account: "inbox.account.\(about?.rawValue ?? "other")"
        case .rentalRequested, .rentalAnswered, .rentalChanged:
            rental.map { "inbox.rental.\(kind.rawValue).\($0.rawValue)" }
        case .rentalDue: due.map { "inbox.rental.\(kind.rawValue).\($0.rawValue)" }
        default: nil
        }
    }
}
