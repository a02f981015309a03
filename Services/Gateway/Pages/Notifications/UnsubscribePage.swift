import HTTPTypes
import Hummingbird
import Sentences
import WireProtocol

/// `/unsubscribe/{token}`: where the link of a mail leads. A GET asks, a POST does it, also of a mail program by itself (RFC 8058): the
/// token is the right, so no session and no other proof is asked for.
struct UnsubscribePage {
    static let path = "/unsubscribe/"

    /// What is about to end, or has.
    var text: String
    /// Whose mails they are; nil where nobody can tell.
    var account: String?
    var ended: Bool
    var action: String

    /// What a link that is none of ours leads to.
    struct Dead {}

    static func register(on routes: PageRoutes) {
        routes.get("/unsubscribe/{token}") { visit in
            try await show(visit) { try await visit.ask(NotificationMethods.unsubscription, $0, Nothing()) }
        }
        routes.post("/unsubscribe/{token}") { visit in
            // What a mail program says (`List-Unsubscribe=One-Click`) is of no interest, but must be read.
            var context = visit.context
            context.webSession = nil
            _ = try? await SubmittedForm.read(visit.request, in: context, csrf: visit.site.services.csrf)
            return try await show(visit) { try await visit.ask(NotificationMethods.unsubscribe, $0, Nothing()) }
        }
    }

    private static func show(
        _ visit: Visit, _ ask: (UnsubscribeToken) async throws -> Unsubscription
    ) async throws -> Response {
        let token = visit.context.parameters.get("token") ?? ""
        do {
            let page = UnsubscribePage(try await ask(UnsubscribeToken(token: token)), token, in: visit.words)
            let title = visit.words[page.ended ? "unsubscribe.done" : "unsubscribe.title"]
            return try await visit.page("notifications/unsubscribe", page, PageFrame(title: title))
        } catch let error as ServiceError where [.notFound, .malformed, .invalid].contains(error.code) {
            let frame = PageFrame(title: visit.words["unsubscribe.dead"])
            return try await visit.page("notifications/dead-unsubscribe", Dead(), frame, status: .notFound)
        }
    }

    private init(_ found: Unsubscription, _ token: String, in words: Words) {
        let kinds = (found.kinds ?? found.kind.map { [$0] })?.map { words.notices.about($0) }.joined(
            separator: ", ")
        let what = kinds ?? words["unsubscribe.all"]
        account = found.account.map { words["unsubscribe.account", ["account": $0]] }
        text = words[found.ended ? "unsubscribe.doneText" : "unsubscribe.text", ["what": what]]
        ended = found.ended
        action = Self.path + LocalPath.encoded(token)
    }
}
