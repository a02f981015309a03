import Hummingbird
import PlainText
import WireProtocol

/// `/me/passkeys/add`: first that it is oneself, and what the passkey shall be called; then the browser's own window, which a script opens.
struct AddPasskeyPage {
    var problem: String?
    var key: String
    /// For the browser's password manager.
    var email: String?
    var name: Field
    var password: Field

    static func register(on routes: PageRoutes) {
        routes.get("/me/passkeys/add") { visit in
            try visit.context.requirePerson()
            guard visit.community.passkeys != nil else { throw ServiceError.notFound("page") }
            return try await show(visit)
        }
        routes.post("/me/passkeys/add") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            return try await prove(form, visit)
        }
        routes.post("/me/passkeys") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            return try await add(form, visit)
        }
    }

    private static func prove(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        guard !form["name"].isEmpty else {
            let error = ServiceError.invalid([FieldError("name", "required", "Give it a name.")])
            return try await show(visit, form, error)
        }
        do {
            // Each time a challenge of its own: nothing is done yet that could be done twice.
            let options = try await visit.ask(
                AuthMethods.passkeyOptions, Nothing(), PasskeyRequest(password: form.fields["password"]))
            return try await MakePasskeyPage.show(options, name: form["name"], visit)
        } catch let error as ServiceError where isAnswerable(error) {
            return try await show(visit, form, error)
        }
    }

    private static func add(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        do {
            guard let credential = form.json("credential", as: PasskeyRegistration.self) else {
                throw ServiceError.invalid([FieldError("credential", "unreadable", "The passkey cannot be read.")])
            }
            let draft = PasskeyDraft(name: form["name"], credential: credential)
            _ = try await visit.command(AuthMethods.addPasskey, Nothing(), draft, of: form)
            return visit.redirect(to: "/me/passkeys", done: "passkeyAdded")
        } catch let error as ServiceError where isAnswerable(error) {
            return try await show(visit, form, error)
        }
    }

    private static func isAnswerable(_ error: ServiceError) -> Bool {
        [.invalid, .tooManyRequests, .tooManyPasskeys, .passkeyStale, .passkeyTaken].contains(error.code)
    }

    private static func show(
        _ visit: Visit, _ form: SubmittedForm = SubmittedForm(), _ error: ServiceError? = nil
    ) async throws -> Response {
        let me = try await visit.ask(AuthMethods.me, Nothing(), Nothing())
        return try await visit.page(
            "passkeys/add", AddPasskeyPage(me, in: visit, form: form, error: error),
            PageFrame(title: visit.words["passkeys.add"], tab: .me, scripts: ["passkey"]),
            status: error.map { ProblemStatus.status(of: $0.code) } ?? .ok)
    }

    private init(_ me: Person, in visit: Visit, form: SubmittedForm, error: ServiceError?) {
        let words = visit.words
        let suggested = Device.name(visit.userAgent, in: words)
        var fields = [
            PasskeyNamePage.field(words, form["name"].nonEmpty ?? suggested),
            Field.password(words["form.password"], .current, required: false, hint: words["passkeys.passwordHint"]),
        ]
        problem = visit.mark(&fields, by: error, topics: ["name": "passkeyName"])
        problem = problem ?? visit.passkeyProblem(error)
        // A new form each time: what is shown again is not what the browser has made.
        key = Visit.newKey()
        email = me.email
        (name, password) = (fields[0], fields[1])
    }
}

/// The second half: what the browser is asked to make, and the form in which it comes back.
struct MakePasskeyPage {
    var name: String
    var options: String
    var party: String
    var key = Visit.newKey()

    static func show(_ options: PasskeyCreationOptions, name: String, _ visit: Visit) async throws -> Response {
        let text = String(decoding: try WireJSON.encode(options), as: UTF8.self)
        let frame = PageFrame(title: visit.words["passkeys.add"], tab: .me, scripts: ["passkey"])
        return try await visit.page(
            "passkeys/make", MakePasskeyPage(name: name, options: text, party: options.rp.id), frame)
    }
}

extension SubmittedForm {
    /// What a script has written into a field; nil where it cannot be read.
    func json<Value: Decodable>(_ name: String, as type: Value.Type) -> Value? {
        try? WireJSON.decode(type, from: Array((fields[name] ?? "").utf8))
    }
}

extension Visit {
    /// What is wrong with a passkey, where that is it.
    func passkeyProblem(_ error: ServiceError?) -> String? {
        guard let error, error.errors.contains(where: { $0.field == "credential" }) else { return nil }
        return FieldErrors(error, words).messages["credential"]
    }
}
