import Hummingbird
import WireProtocol

/// `/me/passkeys/{id}`: what a passkey is called.
struct PasskeyNamePage {
    var problem: String?
    var key: String
    var id: String
    var name: Field

    static func register(on routes: PageRoutes) {
        routes.get("/me/passkeys/{id}") { visit in
            try visit.context.requirePerson()
            let passkey = try await PasskeysPage.own(visit)
            return try await show(passkey.id, passkey.name, visit)
        }
        routes.post("/me/passkeys/{id}") { visit in
            try visit.context.requirePerson()
            let (form, id) = (try await visit.form(), try visit.id(PasskeyID.self))
            do {
                _ = try await visit.command(
                    AuthMethods.renamePasskey, PasskeyReference(id: id), PasskeyName(name: form["name"]), of: form,
                    doing: id.description)
                return visit.redirect(to: "/me/passkeys", done: "saved")
            } catch let error as ServiceError where error.code == .idempotencyMismatch {
                return visit.redirect(to: "/me/passkeys/\(id)")
            } catch let error as ServiceError where error.code == .invalid {
                return try await show(id, form["name"], visit, form, error)
            }
        }
    }

    private static func show(
        _ id: PasskeyID, _ name: String, _ visit: Visit, _ form: SubmittedForm = SubmittedForm(),
        _ error: ServiceError? = nil
    ) async throws -> Response {
        var fields = [field(visit.words, name)]
        let problem = visit.mark(&fields, by: error, topics: ["name": "passkeyName"])
        return try await visit.page(
            "passkeys/name",
            PasskeyNamePage(problem: problem, key: Visit.key(form), id: id.description, name: fields[0]),
            PageFrame(title: visit.words["passkeys.rename"], tab: .me),
            status: error.map { ProblemStatus.status(of: $0.code) } ?? .ok)
    }

    static func field(_ words: Words, _ value: String) -> Field {
        Field("name", words["passkeys.name"]).with {
            $0.value = value
            $0.required = true
            $0.maxlength = "60"
            $0.hint = words["passkeys.nameHint"]
        }
    }
}
