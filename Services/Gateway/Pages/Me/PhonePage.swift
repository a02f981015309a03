import HTTPTypes
import Hummingbird
import WireProtocol

/// `/me/phone`: asks for a code to a telephone number.
struct PhonePage {
    var problem: String?
    var key: String
    var number: Field

    static func register(on routes: PageRoutes) {
        routes.get("/me/phone") { visit in
            try require(visit)
            let phone = try await visit.ask(AuthMethods.me, Nothing(), Nothing()).phone
            return try await show(PhonePage(phone ?? "", in: visit), visit)
        }
        routes.post("/me/phone") { visit in
            try require(visit)
            return try await ask(try await visit.form(), visit)
        }
    }

    /// - Throws: `notFound` where the community sends no texts.
    static func require(_ visit: Visit) throws {
        try visit.context.requirePerson()
        guard visit.community.verifiesPhones else { throw ServiceError.notFound("page") }
    }

    private static func ask(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        do {
            _ = try await visit.command(
                AuthMethods.requestPhoneVerification, LanguageParameters(language: visit.words.code),
                PhoneVerificationRequest(phone: form["phone"]), of: form)
            return visit.redirect(to: "/me/phone/code")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // A code was asked for, and then another number was typed into the same form: a form of its own.
            return visit.redirect(to: "/me/phone")
        } catch let error as ServiceError where error.code != .unauthenticated {
            let page = PhonePage(form["phone"], in: visit, form: form, error: error)
            return try await show(page, visit, status: ProblemStatus.status(of: error.code))
        }
    }

    private static func show(
        _ page: PhonePage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        try await visit.page("me/phone", page, PageFrame(title: visit.words["phone.title"], tab: .me), status: status)
    }

    private init(
        _ phone: String, in visit: Visit, form: SubmittedForm = SubmittedForm(), error: ServiceError? = nil
    ) {
        var fields = [
            Field("phone", visit.words["form.phone"]).with {
                $0.type = "tel"
                $0.value = phone
                $0.autocomplete = "tel"
                $0.inputmode = "tel"
                $0.verbatim = true
                $0.required = true
            }
        ]
        problem = visit.mark(&fields, by: error)
        key = Visit.key(form)
        number = fields[0]
    }
}

extension Visit {
    /// That somebody's number is verified; nil for others, and where no texts are sent any more.
    func phoneBadge(of person: Person) -> String? {
        community.verifiesPhones && person.phoneVerified == true ? words["phone.badge"] : nil
    }
}
