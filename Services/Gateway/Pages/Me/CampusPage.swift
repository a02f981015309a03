import HTTPTypes
import Hummingbird
import WireProtocol

/// `/me/campus`: asks for a code to an address at a campus.
struct CampusPage {
    var problem: String?
    var key: String
    var lead: String
    var apart: Bool
    var email: Field

    static func register(on routes: PageRoutes) {
        routes.get("/me/campus") { visit in
            try require(visit)
            return try await show(CampusPage(in: visit), visit)
        }
        routes.post("/me/campus") { visit in
            try require(visit)
            return try await ask(try await visit.form(), visit)
        }
    }

    /// - Throws: `notFound` where the community has no campuses.
    static func require(_ visit: Visit) throws {
        try visit.context.requirePerson()
        guard !visit.community.campuses.all.isEmpty else { throw ServiceError.notFound("page") }
    }

    private static func ask(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        do {
            _ = try await visit.command(
                AuthMethods.requestEmailVerification, LanguageParameters(language: visit.words.code),
                EmailVerificationRequest(email: form["email"]), of: form)
            return visit.redirect(to: "/me/campus/code")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // A code was asked for, and then another address was typed into the same form: a form of its own.
            return visit.redirect(to: "/me/campus")
        } catch let error as ServiceError where error.code != .unauthenticated {
            let page = CampusPage(in: visit, form: form, error: error)
            return try await show(page, visit, status: ProblemStatus.status(of: error.code))
        }
    }

    private static func show(
        _ page: CampusPage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        try await visit.page(
            "me/campus", page, PageFrame(title: visit.words["campus.title"], tab: .me), status: status)
    }

    private init(in visit: Visit, form: SubmittedForm = SubmittedForm(), error: ServiceError? = nil) {
        let words = visit.words
        var fields = [
            Field("email", words["form.campusEmail"]).with {
                $0.type = "email"
                $0.value = form["email"]
                $0.autocomplete = "email"
                $0.inputmode = "email"
                $0.verbatim = true
                $0.required = true
            }
        ]
        problem = visit.mark(&fields, by: error)
        key = Visit.key(form)
        let names = visit.community.campuses.all.map(\.name).joined(separator: ", ")
        lead = words["campus.lead", ["campuses": names]]
        apart = visit.community.campuses.areApart
        email = fields[0]
    }
}

extension Visit {
    /// What is said of who belongs to a campus; nil for others, and where the community has given up the campus.
    func badge(of campus: String?) -> String? {
        campus.flatMap { community.campuses[$0] }.map { words["campus.badge", ["campus": $0.name]] }
    }
}
