import HTTPTypes
import Hummingbird
import WireProtocol

/// `/new-password?token=…`: where the link of a mail leads.
struct NewPasswordPage {
    var problem: String?
    var key: String
    var token: String
    var account: String
    /// For the browser's password manager.
    var username: String?
    var password: Field
    /// Offers to remove what else leads in; nil where nothing does.
    var unlink: String?
    var unlinkChosen: Bool

    /// What a link that is no longer good leads to.
    struct Dead {}

    static func register(on routes: PageRoutes) {
        routes.get("/new-password") { visit in
            try await show(visit.query("token") ?? "", visit)
        }
        routes.post("/new-password") { visit in
            let form = try await visit.form()
            return try await setPassword(form, visit)
        }
    }

    private static func setPassword(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        do {
            let body = PasswordReset(
                token: form["token"], password: form.fields["password"] ?? "",
                unlink: form["unlink"] == "yes" ? true : nil)
            _ = try await visit.command(AuthMethods.resetPassword, Nothing(), body, of: form)
            return visit.redirect(to: "/sign-in", done: "passwordSet")
        } catch let error as ServiceError {
            return try await show(form["token"], visit, form, error)
        }
    }

    private static func show(
        _ token: String, _ visit: Visit, _ form: SubmittedForm = SubmittedForm(), _ error: ServiceError? = nil
    ) async throws -> Response {
        do {
            if let error, isDead(error) { throw error }
            let account = try await visit.ask(AuthMethods.passwordReset, Nothing(), PasswordResetLink(token: token))
            let page = NewPasswordPage(account, token: token, in: visit, form: form, error: error)
            return try await visit.page(
                "door/new-password", page, PageFrame(title: visit.words["door.newPassword.title"]),
                status: error.map { ProblemStatus.status(of: $0.code) } ?? .ok)
        } catch let error as ServiceError where isDead(error) {
            return try await visit.page(
                "door/dead-link", Dead(), PageFrame(title: visit.words["door.deadLink.title"]),
                status: .unprocessableContent)
        }
    }

    private static func isDead(_ error: ServiceError) -> Bool { error.errors.contains { $0.field == "token" } }

    private init(
        _ account: PasswordResetAccount, token: String, in visit: Visit, form: SubmittedForm, error: ServiceError?
    ) {
        let words = visit.words
        var fields = [Field.password(words["form.newPassword"], .new, hint: words["form.passwordHint"])]
        problem = visit.mark(&fields, by: error)
        key = Visit.key(form)
        self.token = token
        self.account =
            words[
                "door.newPassword.account",
                ["name": account.name, "date": visit.moment(account.memberSince, .date).text]]
        username = account.username
        password = fields[0]
        let providers = (account.identities ?? []).map(\.name).joined(separator: ", ")
        unlink = providers.isEmpty ? nil : words["door.newPassword.unlink", ["providers": providers]]
        // A thief may have linked it. It is unlinked unless the person says that it stays.
        unlinkChosen = error == nil || form["unlink"] == "yes"
    }
}
