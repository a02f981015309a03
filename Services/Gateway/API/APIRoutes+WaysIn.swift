import HTTPTypes
import WireProtocol

extension APIRoute {
    /// Password and address, and the proof that it is the person who changes them.
    static let waysIn: [APIRoute] = [
        .service(.post, "/v1/me/proof", "proveMe", AuthMethods.prove, limits: .signIn),
        .service(.put, "/v1/me/password", "changePassword", AuthMethods.changePassword, limits: .signIn),
        .service(
            .post, "/v1/me/email", "changeEmail", AuthMethods.changeEmail, limits: .signIn, success: .accepted
        ) { _, call in LanguageParameters(language: call.context.languages.first) },
        .service(.post, "/v1/me/email/confirm", "confirmEmail", AuthMethods.confirmEmail, limits: .signIn),
    ]
}
