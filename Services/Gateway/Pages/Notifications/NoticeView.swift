import Sentences
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
        let person = notice.actor.map { PersonView($0) }
        // In the list one leads to the thing: the face says who it was.
        id = notice.id.description
        self.person = person
        icon = NoticeKinds.all[notice.kind].icon
        let sentences = visit.words.notices
        var values = sentences.places(of: notice.values)
        values["name"] = person?.name
        values["title"] = notice.title
        values["n"] = String(notice.count)
        text = sentences.text(.told, of: notice.kind, notice.variant, values, count: notice.count)
        time = visit.moment(notice.at, .ago)
        isNew = notice.readAt == nil
        link = LocalPath.from(notice.link) ?? "/notifications"
        href = isNew ? InboxNotice.way(notice.id, to: link) : link
        version = time.iso
    }
}
