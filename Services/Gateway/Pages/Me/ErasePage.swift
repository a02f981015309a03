import HTTPTypes
import Hummingbird
import WireProtocol

/// `/me/erase`: says what goes and what stays, asks for the password, and erases the account. From there one comes to the receipt. Whoever has
/// something of somebody else's, or the other way round, is told so instead of being asked.
struct ErasePage {
    struct Held {
        var title: String
        /// Nil for those who may not go there.
        var href: String?
    }

    var waits: Bool
    var held: [Held]
    var problem: String?
    var key: String
    var back: String
    /// For the browser's password manager.
    var email: String?
    var password: Field

    static func register(on routes: PageRoutes) {
        routes.get("/me/erase", forSuspended: true) { visit in
            try visit.context.requirePerson()
            return try await show(visit)
        }
        routes.post("/me/erase", forSuspended: true) { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            return try await erase(form, visit)
        }
    }

    private static func erase(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        do {
            let erasure = try await visit.command(
                AuthMethods.eraseMe, LanguageParameters(language: visit.words.code),
                ErasureRequest(password: form.fields["password"] ?? ""), of: form)
            var response = visit.redirect(to: "/erasures/\(erasure.id)")
            visit.site.services.sessions.end(on: &response)
            return response
        } catch let error as ServiceError
            where [.invalid, .tooManyRequests, .inHand, .unavailable].contains(error.code)
        {
            return try await show(visit, form, error)
        }
    }

    private static func show(
        _ visit: Visit, _ form: SubmittedForm = SubmittedForm(), _ error: ServiceError? = nil
    ) async throws -> Response {
        // Who is suspended learns nothing here but what becomes of it.
        let me = visit.takesPart ? try await visit.ask(AuthMethods.me, Nothing(), Nothing()) : nil
        let held = await held(error, visit)
        return try await visit.page(
            "me/erase", ErasePage(me, held, in: visit, form: form, error: error),
            PageFrame(title: visit.words["erase.title"], tab: .me),
            status: error.map { ProblemStatus.status(of: $0.code) } ?? .ok)
    }

    /// What keeps them; nothing where that can't be asked now: auth asks again.
    private static func held(_ error: ServiceError?, _ visit: Visit) async -> [Held] {
        var found: [Commitment] = []
        if let error, error.code == .inHand {
            found = error.errors.compactMap(\.commitment)
        } else if let person = visit.context.caller.person {
            for service in Capability.commitments.services {
                let asked = try? await visit.ask(
                    service.methods.commitments, PersonReference(id: person), Nothing(), within: 2)
                found += asked?.items ?? []
            }
        }
        return found.map { Held(title: $0.title, href: visit.takesPart ? visit.href(of: $0.subject) : nil) }
    }

    private init(_ me: Person?, _ held: [Held], in visit: Visit, form: SubmittedForm, error: ServiceError?) {
        var fields = [
            Field.password(
                visit.words["form.password"], .current, required: false, hint: visit.words["erase.passwordHint"])
        ]
        self.held = held
        waits = !held.isEmpty
        problem = visit.mark(&fields, by: error)
        key = Visit.key(form)
        email = me?.email
        back = SuspendedPage.back(in: visit)
        password = fields[0]
    }
}
