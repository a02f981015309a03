import WireProtocol

/// The way from a page to a chat about what it shows, as `messages/button`.
struct MessageButton {
    var kind: String
    var subject: String
    var with: String
    var label: String

    init(_ kind: SubjectKind, _ subject: String, _ person: PersonSummary, in words: Words) {
        self.kind = kind.rawValue
        self.subject = subject
        with = person.id.description
        label = words["messages.to", ["name": person.name]]
    }

    static func to(_ person: Person, in visit: Visit) -> MessageButton { to(person.summary, in: visit) }

    static func to(_ person: PersonSummary, in visit: Visit) -> MessageButton {
        MessageButton(.person, person.id.description, person, in: visit.words)
    }
}
