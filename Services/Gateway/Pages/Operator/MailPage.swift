import Hummingbird
import WireProtocol

/// `/operator/mails/{id}`: what one mail says, as plain text with its links. No HTML of a mail is shown: it would be somebody else's page within
/// ours, and says the same.
struct MailPage {
    /// A piece of the text; a link where it leads into this community.
    struct Piece {
        var text: String
        var href: String?
    }

    var back: String
    var heading: String
    var to: String?
    var when: Moment
    var pieces: [Piece]

    static func register(on routes: PageRoutes) {
        routes.get("/operator/mails/{id}") { visit in
            try visit.context.requirePerson()
            let reference = KeptMailReference(id: try visit.id(KeptMailID.self))
            let found = try await visit.ask(NotificationMethods.mail, reference, Nothing())
            let page = MailPage(found, in: visit)
            return try await visit.page(
                "operator/mail", page, PageFrame(title: visit.words["operator.title"], tab: .me, width: "middle"))
        }
    }

    private init(_ found: KeptMailContent, in visit: Visit) {
        back = found.mail.channel == .mail ? "/operator/mails" : "/operator/mails?of=text"
        heading = found.subject ?? visit.words["operator.template.\(found.mail.template)"]
        to = found.mail.to
        when = visit.moment(found.mail.acceptedAt, .ago)
        pieces = Self.pieces(of: found.text, linking: visit.community.publicURL)
    }

    /// - Parameter address: Of this community; what leads elsewhere is no link.
    static func pieces(of text: String, linking address: String) -> [Piece] {
        var (pieces, rest) = ([Piece](), text[...])
        while let start = rest.firstRange(of: address) {
            let link = rest[start.lowerBound...].prefix { !$0.isWhitespace && !"<>\"".contains($0) }
            if start.lowerBound > rest.startIndex { pieces.append(Piece(text: String(rest[..<start.lowerBound]))) }
            let path = link.dropFirst(address.count)
            // `https://share.example.org.evil.example` begins so too.
            let href = path.isEmpty ? "/" : LocalPath.from(String(path), door: true)
            pieces.append(Piece(text: String(link), href: href))
            rest = rest[link.endIndex...]
        }
        if !rest.isEmpty { pieces.append(Piece(text: String(rest))) }
        return pieces
    }
}
