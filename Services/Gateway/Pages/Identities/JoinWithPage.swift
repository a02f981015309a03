import FoundationEssentials
import HTTPTypes
import Hummingbird
import PlainText
import WireProtocol

/// `/join/with`: makes an account of somebody whom a provider vouches for; what it says of them is filled in.
struct JoinWithPage {
    var problem: String?
    var key: String
    var next: String
    var lead: String
    /// What the box says that takes the provider's picture over; nil where it has none.
    var pictureText: String?
    var name: Field
    var username: Field
    var region: TypedOrChosen
    var email: Field

    static func register(on routes: PageRoutes) {
        routes.get("/join/with") { visit in
            if visit.isSignedIn { return visit.redirect(to: "/") }
            let proposal = try await proposal(visit)
            // Whose address has an account is asked for its password first: it may well be theirs.
            if proposal.hasAccount, visit.query("new") == nil { return visit.redirect(to: JoinWithAccountPage.path) }
            return try await show(JoinWithPage(proposal, in: visit), visit)
        }
        routes.post("/join/with") { visit in
            let form = try await visit.form(strangers: BodyLimits.joinForm)
            return try await join(form, visit)
        }
        routes.get("/join/with/picture") { visit in
            do {
                let photos = visit.site.services.photos
                let thumb = try await photos.preview(try await picture(visit), for: visit.identityHolder)
                return visit.picture(thumb)
            } catch is ServiceError {
                return visit.redirect(to: visit.site.services.assets.url("icon.svg"))
            }
        }
    }

    static func proposal(_ visit: Visit) async throws -> IdentityProposal {
        try await visit.ask(AuthMethods.identityProposal, Nothing(), IdentityTicket(ticket: visit.identityTicket))
    }

    private static func join(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        do {
            let body = IdentitySignUp(
                ticket: visit.identityTicket, email: form["email"], name: form["name"].nonEmpty,
                username: form["username"], region: form["region"])
            let account = try await visit.site.services.backend.call(
                AuthMethods.signUpWithIdentity, WebSessions.device(of: visit.request, in: visit.context), body,
                as: visit.context.caller,
                id: visit.requestID(form, doing: AuthMethods.signUpWithIdentity.name))
            let trouble = await putPicture(form, on: account.person, visit)
            let target = trouble.map { "/me/edit?picture=\($0.rawValue)" } ?? LocalPath.from(form["next"]) ?? "/"
            var response = visit.site.services.sessions.begin(
                account.session, of: account.person.id, for: visit.request, to: target, done: "joined")
            visit.identityCookies.forgetTicket(on: &response)
            return response
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending has made the account; the provider leads into it.
            return visit.redirect(to: "/sign-in", done: "joinedBefore")
        } catch let error as ServiceError where [.invalid, .usernameTaken, .unavailable].contains(error.code) {
            var others: UsernameCheck?
            if error.code == .usernameTaken { others = await UsernameCheck.others(than: form["username"], in: visit) }
            let page = JoinWithPage(try await proposal(visit), in: visit, form: form, error: error, others: others)
            return try await show(page, visit, status: ProblemStatus.status(of: error.code))
        }
    }

    /// One that was chosen on the page, else the provider's. That the provider's cannot be had is no reason to hold anybody up.
    private static func putPicture(_ form: SubmittedForm, on person: Person, _ visit: Visit) async -> ErrorCode? {
        if let file = form.files["file"] {
            return await JoinPage.putPicture(file.bytes, of: form, on: person, visit)
        }
        guard form["providersPicture"] == "yes", let bytes = try? await picture(visit) else { return nil }
        _ = await JoinPage.putPicture(bytes, of: form, on: person, visit)
        return nil
    }

    /// The provider's picture, unread.
    private static func picture(_ visit: Visit) async throws -> [UInt8] {
        let found = try await visit.ask(
            AuthMethods.identityPicture, Nothing(), IdentityTicket(ticket: visit.identityTicket), within: 6)
        guard let bytes = Data(base64Encoded: found.base64) else { throw ServiceError.notFound("picture") }
        return Array(bytes)
    }

    private static func show(
        _ page: JoinWithPage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let frame = PageFrame(title: visit.words["door.welcome.join"], scripts: ["portrait", "names"])
        return try await visit.page("identities/join-with", page, frame, status: status)
    }

    private init(
        _ proposal: IdentityProposal, in visit: Visit, form: SubmittedForm? = nil, error: ServiceError? = nil,
        others: UsernameCheck? = nil
    ) {
        let (words, provider) = (visit.words, ["provider": proposal.provider.name])
        var fields = [
            ProfileFields.name(proposal.name ?? form?["name"] ?? "", in: words)
                .locked(proposal.name == nil ? nil : words["identities.nameLocked", provider]),
            ProfileFields.username(form?["username"] ?? proposal.username ?? "", said: others, in: words),
            ProfileFields.region(form?["region"] ?? "", in: visit),
            JoinPage.emailField(words, form?["email"] ?? proposal.email ?? ""),
        ]
        var errors = error.map { FieldErrors($0, words) }
        if error?.code == .usernameTaken { errors?.add("username", "username_taken") }
        errors?.mark(&fields)
        problem = errors?.isEmpty == true ? error.map { visit.told($0) } : nil
        key = form.map { Visit.key($0) } ?? Visit.newKey()
        lead = words["identities.joinLead", provider]
        pictureText = proposal.picture ? words["identities.takePicture", provider] : nil
        (name, username, region, email) = (fields[0], fields[1], TypedOrChosen(fields[2]), fields[3])
        next = LocalPath.from(proposal.next) ?? ""
    }
}

extension Field {
    /// - Parameter why: nil leaves it as it is.
    func locked(_ why: String?) -> Field {
        guard let why else { return self }
        return with {
            $0.locked = true
            $0.hint = why
        }
    }
}

extension Visit {
    var identityCookies: IdentityCookies { IdentityCookies(secure: community.isSecure) }
    var identityTicket: String { identityCookies.ticket(of: request) }

    /// Who holds the ticket, as far as taking turns goes: nobody yet. It begins with an id.
    var identityHolder: PersonID {
        Base64URL.decode(identityTicket).flatMap { Frame.uuid(Array($0.prefix(16))) }.map { PersonID($0) } ?? .new()
    }
}
