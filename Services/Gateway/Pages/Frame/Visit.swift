import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import PlainText
import Synchronization
import WireProtocol

/// The form that a request brings: a body can be read once.
final class SentForm: Sendable {
    enum State: Sendable {
        case unread, gone
        case read(SubmittedForm)
    }
    let state = Mutex(State.unread)
}

/// One request to a page, with what pages need to answer it.
struct Visit: Sendable {
    let site: Site
    let request: Request
    let context: GatewayContext
    let words: Words
    let now: Date
    /// Where the live stream was when the visit began, before anything was asked for what the page shows: who listens goes on from there.
    let since: String
    /// What was read of the form that came along.
    let sent = SentForm()
    /// What the address says behind the question mark; `PageRoutes` refuses what is no text.
    let asked: Result<[(String, String)], ServiceError>

    init(site: Site, request: Request, context: GatewayContext, now: Date = Date()) {
        self.site = site
        self.request = request
        self.context = context
        self.now = now
        since = site.services.relay.position
        asked = Result { () throws(ServiceError) in try FormEncoding.pairs(request.uri.query ?? "") }
        let codes = site.catalogues.codes
        let chosen = request.cookies[Languages.cookie]?.value
        let code = chosen.flatMap { codes.contains($0) ? $0 : nil } ?? context.language(among: codes)
        words = site.catalogues.words(for: code)
    }

    var community: Community { site.services.community }
    var isSignedIn: Bool { context.caller.person != nil }
    /// Whether they are there as others are: who is suspended comes to what is theirs, and to nothing else.
    var takesPart: Bool { isSignedIn && !context.caller.isSuspended }
    var isModerator: Bool { context.caller.roles.contains(.moderator) }

    // MARK: What was asked

    func query(_ name: String) -> String? { (try? asked.get())?.first { $0.0 == name }?.1 }

    /// The id in the address (`/spots/{id}`).
    /// - Throws: `notFound` where it is no id at all.
    func id<Entity>(_ type: ID<Entity>.Type = ID<Entity>.self) throws -> ID<Entity> {
        guard let id = context.parameters.get("id").flatMap({ ID<Entity>($0) }) else {
            throw ServiceError.notFound("page")
        }
        return id
    }

    /// The address of this page, to come back to.
    var here: String { request.uri.query.map { "\(request.uri.path)?\($0)" } ?? request.uri.path }

    /// Whether htmx asks, for a part of a page.
    var isFragment: Bool { request.headers[Self.fragmentHeader] == "true" }
    var fragmentTarget: String? { request.headers[Self.targetHeader] }

    var userAgent: String { request.headers[.userAgent] ?? "" }

    static let fragmentHeader = HTTPField.Name("HX-Request")!
    static let targetHeader = HTTPField.Name("HX-Target")!
    private static let refreshHeader = HTTPField.Name("HX-Refresh")!

    /// What the form sent.
    /// - Throws: `stalePage` without the session's token, `malformed`, `tooLarge`.
    /// - Parameters:
    ///   - strangers: bytes that a form with files may have where nobody is signed in.
    ///   - members: the same where somebody is; `BodyLimits.photosForm` for several pictures.
    func form(strangers: Int = BodyLimits.json, members: Int = BodyLimits.photoForm) async throws -> SubmittedForm {
        sent.state.withLock { $0 = .gone }
        do {
            let form = try await SubmittedForm.read(
                request, in: context, csrf: site.services.csrf, strangers: strangers, members: members)
            sent.state.withLock { $0 = .read(form) }
            return form
        } catch let error as ServiceError where error.code == .forbidden {
            throw ServiceError(.stalePage, error.detail)
        }
    }

    // MARK: Asking the services

    func ask<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, _ body: Body, id: UUID = .version7(),
        within time: TimeInterval = 5
    ) async throws -> Reply {
        try await site.services.backend.call(method, parameters, body, as: context.caller, id: id, within: time)
    }

    /// Does what a form asks for, once for each key that a form was rendered with.
    /// - Parameter act: which of the things that the form can do, where one method serves several of its buttons.
    /// - Throws: `idempotencyMismatch` where it was done before with other content: then show what it was done to.
    func command<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, _ body: Body, of form: SubmittedForm,
        doing act: String = ""
    ) async throws -> Reply {
        try await ask(method, parameters, body, id: requestID(form, doing: method.name + act))
    }

    /// Asks for a part of a page that the rest can do without; nil where the service that knows it is away.
    func askUnlessAway<Parameters, Reply>(
        _ method: Method<Parameters, Nothing, Reply>, _ parameters: Parameters
    ) async throws -> Reply? {
        do {
            return try await ask(method, parameters, Nothing())
        } catch let error as ServiceError where [.unavailable, .internalError].contains(error.code) {
            return nil
        }
    }

    /// The request id of a form's command.
    func requestID(_ form: SubmittedForm, doing act: String) throws -> UUID {
        try Idempotency.requestID(form: form["key"], doing: act, caller: context.caller)
    }

    /// The key of a form that is shown for the first time.
    static func newKey() -> String { UUID.version7().uuidString.lowercased() }

    /// The key of a form that is shown again. It stays, whatever became of the command: what was refused is remembered for
    /// seconds only, and what may have been done must not be done twice.
    static func key(_ form: SubmittedForm) -> String { form["key"].nonEmpty ?? newKey() }

    // MARK: Answering

    func redirect(to path: String, done: String? = nil) -> Response {
        let query = done.map { (path.contains("?") ? "&" : "?") + "done=\($0)" } ?? ""
        return Response(status: .seeOther, headers: [.location: path + query, .cacheControl: "no-store"])
    }

    /// To another page, whatever part of one was asked for.
    func leave(for path: String) -> Response {
        guard isFragment else { return redirect(to: path) }
        // htmx follows this header and leaves the page; a plain redirect would put the other page into a corner of it.
        var response = html("", status: .forbidden)
        response.headers[Self.redirectHeader] = path
        return response
    }

    /// For a part of a page: the whole page is no longer what it was. A redirect would put another page into a corner of this one.
    func refresh() -> Response {
        var response = html("")
        response.headers[Self.refreshHeader] = "true"
        return response
    }

    func picture(_ webP: [UInt8]) -> Response {
        Response(
            status: .ok, headers: [.contentType: "image/webp", .cacheControl: "no-store"],
            body: .init(byteBuffer: ByteBuffer(bytes: webP)))
    }

    func html(_ text: String, status: HTTPResponse.Status = .ok) -> Response {
        let headers: HTTPFields = [
            .contentType: "text/html; charset=utf-8", .cacheControl: "no-store", .vary: "HX-Request, Accept-Language",
        ]
        return Response(status: status, headers: headers, body: .init(byteBuffer: ByteBuffer(string: text)))
    }
}
