import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/join`: makes an account and signs in.
struct JoinPage {
    /// What `me/portrait` shows: a picture is chosen here, never one that was there before.
    var photo: String?
    var fileError: String?
    var problem: String?
    var key: String
    var next: String
    var nextQuery: String
    var name: Field
    var username: Field
    var region: TypedOrChosen
    var email: Field
    var password: Field
    var waysIn = WaysIn()

    static func register(on routes: PageRoutes) {
        routes.get("/join") { visit in
            let next = LocalPath.from(visit.query("next"))
            if visit.isSignedIn { return visit.redirect(to: next ?? "/") }
            return try await show(JoinPage(in: visit, next: next), visit)
        }
        routes.post("/join") { visit in
            let form = try await visit.form(strangers: BodyLimits.joinForm)
            return try await join(form, visit)
        }
    }

    private static func join(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let next = LocalPath.from(form["next"])
        do {
            let body = SignUp(
                email: form["email"], password: form.fields["password"] ?? "", name: form["name"],
                username: form["username"], region: form["region"])
            let sessions = visit.site.services.sessions
            let account = try await sessions.signUp(
                body, for: visit.request, in: visit.context, id: visit.requestID(form, doing: AuthMethods.signUp.name))
            let trouble = await putPicture(form.files["file"]?.bytes, of: form, on: account.person, visit)
            // Somebody who has joined has joined: a picture that will not do is chosen anew among the rest of the profile.
            let target = trouble.map { "/me/edit?picture=\($0.rawValue)" } ?? next ?? "/"
            return sessions.begin(
                account.session, of: account.person.id, for: visit.request, to: target, done: "joined")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending has made the account: another one is not what is wanted.
            return visit.redirect(to: "/sign-in" + LocalPath.query(next: next), done: "joinedBefore")
        } catch let error as ServiceError {
            var others: UsernameCheck?
            if error.code == .usernameTaken { others = await UsernameCheck.others(than: form["username"], in: visit) }
            let page = JoinPage(
                in: visit, next: next, form: form, error: error, others: others, told: visit.told(error))
            return try await show(page, visit, status: ProblemStatus.status(of: error.code))
        }
    }

    /// Only now that there is an account: pictures are kept for nobody else.
    /// - Returns: Why it has none, where one was sent.
    static func putPicture(
        _ bytes: [UInt8]?, of form: SubmittedForm, on person: Person, _ visit: Visit
    ) async -> ErrorCode? {
        guard let bytes, person.photo == nil else { return nil }
        do {
            let photo = try await visit.site.services.photos.store(bytes, for: person.id)
            let caller = Caller(person: person.id, address: visit.context.remoteAddress)
            _ = try await visit.site.services.backend.call(
                AuthMethods.changeProfile, Nothing(), ProfileChange(photo: .set(photo.id)), as: caller,
                id: try Idempotency.requestID(form: form["key"], doing: "picture", caller: caller), within: 5)
            return nil
        } catch {
            return (error as? ServiceError)?.code ?? .unavailable
        }
    }

    private static func show(
        _ page: JoinPage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        var page = page
        page.waysIn = await WaysIn.here(next: page.next.nonEmpty, in: visit)
        let frame = PageFrame(title: visit.words["door.welcome.join"], scripts: ["portrait", "names"])
        return try await visit.page("door/join", page, frame, status: status)
    }

    init(
        in visit: Visit, next: String?, form: SubmittedForm = SubmittedForm(), error: ServiceError? = nil,
        others: UsernameCheck? = nil, told: String? = nil
    ) {
        let words = visit.words
        var fields = [
            ProfileFields.name(form["name"], in: words),
            ProfileFields.username(form["username"], said: others, in: words),
            ProfileFields.region(form["region"], in: visit),
            Self.emailField(words, form["email"]),
            Field.password(words["form.password"], .new, hint: words["form.passwordHint"]),
        ]
        var errors = error.map { FieldErrors($0, words) }
        if error?.code == .usernameTaken { errors?.add("username", "username_taken") }
        errors?.mark(&fields)
        problem = errors?.isEmpty == true ? told : nil
        key = Visit.key(form)
        self.next = next ?? ""
        nextQuery = LocalPath.query(next: next)
        (name, username, region) = (fields[0], fields[1], TypedOrChosen(fields[2]))
        (email, password) = (fields[3], fields[4])
    }

    static func emailField(_ words: Words, _ value: String) -> Field {
        Field("email", words["form.email"]).with {
            $0.type = "email"
            $0.value = value
            $0.autocomplete = "username"
            $0.inputmode = "email"
            $0.verbatim = true
            $0.required = true
        }
    }
}
