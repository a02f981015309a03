import Hummingbird
import WireProtocol

/// `/moderation/cases/{id}/messages`: a message that is reported, and a few around it. That somebody looked is in the audit log.
struct ReportedMessagesPage {
    struct Row {
        var by: String
        var text: String?
        var photo: String?
        var photoText: String
        var hidden: Bool
        var gone: Bool
        var reported: Bool
        var when: Moment
    }

    var back: String
    var rows: [Row]

    static func register(on routes: PageRoutes) {
        routes.get("/moderation/cases/{id}/messages") { visit in
            try visit.context.requirePerson()
            let id: CaseID = try visit.id()
            let found = try await visit.ask(AuthMethods.reportedMessages, CaseReference(id: id), Nothing())
            return try await visit.page(
                "moderation/messages", ReportedMessagesPage(found, of: id, in: visit),
                PageFrame(title: visit.words["moderation.messages"], tab: .me, width: "middle"))
        }
    }

    private init(_ found: ReportedMessages, of id: CaseID, in visit: Visit) {
        let words = visit.words
        let names = Dictionary(found.people.map { ($0.id, $0.name) }) { first, _ in first }
        back = "/moderation/cases/\(id)"
        rows = found.items.map { message in
            let name = names[message.by] ?? words["moderation.someone"]
            let isHidden = message.hidden == true
            return Row(
                by: name, text: message.text.isEmpty ? nil : message.text, photo: message.photo,
                photoText: words["messages.photoBy", ["name": name]], hidden: isHidden,
                gone: message.text.isEmpty && message.photo == nil && !isHidden,
                reported: message.id == found.reported, when: visit.moment(message.sentAt, .ago))
        }
    }
}
