import HTTPTypes
import Hummingbird
import WireProtocol

/// `/me/campus/code`: takes the code of the mail.
struct CampusCodePage {
    var problem: String?
    var key: String
    var code: Field

    static func register(on routes: PageRoutes) {
        routes.get("/me/campus/code") { visit in
            try CampusPage.require(visit)
            return try await show(CampusCodePage(in: visit), visit)
        }
        routes.post("/me/campus/code") { visit in
            try CampusPage.require(visit)
            return try await verify(try await visit.form(), visit)
        }
    }

    private static func verify(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        do {
            _ = try await visit.command(
                AuthMethods.verifyEmail, Nothing(), EmailVerification(code: form["code"]), of: form)
            return visit.redirect(to: "/me", done: "verified")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending was the right one.
            return visit.redirect(to: "/me", done: "verified")
        } catch let error as ServiceError where error.code != .unauthenticated {
            let page = CampusCodePage(in: visit, form: form, error: error)
            return try await show(page, visit, status: ProblemStatus.status(of: error.code))
        }
    }

    private static func show(
        _ page: CampusCodePage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        try await visit.page(
            "me/campus-code", page, PageFrame(title: visit.words["campus.codeTitle"], tab: .me), status: status)
    }

    private init(in visit: Visit, form: SubmittedForm = SubmittedForm(), error: ServiceError? = nil) {
        var fields = [
            Field("code", visit.words["form.code"]).with {
                $0.inputmode = "numeric"
                $0.autocomplete = "one-time-code"
                $0.maxlength = "12"
                $0.verbatim = true
                $0.required = true
            }
        ]
        problem = visit.mark(&fields, by: error)
        key = Visit.key(form)
        code = fields[0]
    }
}
