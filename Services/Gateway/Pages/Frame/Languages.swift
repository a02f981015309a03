import Hummingbird
import WireProtocol

/// A language that one may change to.
struct LanguageChoice {
    var code: String
    var label: String

    static func others(than words: Words, in catalogues: Catalogues) -> [LanguageChoice] {
        catalogues.all.filter { $0.code != words.code }.map { LanguageChoice(code: $0.code, label: $0.name) }
    }
}

/// `POST /language`: pages come in another language from now on, on this device; and mails, where somebody is signed in.
enum Languages {
    static let cookie = "kampong_language"

    static func register(on routes: PageRoutes) {
        routes.post("/language", forSuspended: true) { visit in
            let form = try await visit.form()
            var response = visit.redirect(to: LocalPath.from(form["next"], door: true) ?? "/")
            if visit.site.catalogues.codes.contains(form["language"]) {
                if visit.takesPart {
                    // Pages do without it where auth is away; the next sign-in says it again.
                    _ = try? await visit.ask(
                        AuthMethods.setLanguage, LanguageParameters(language: form["language"]), Nothing(), within: 1)
                }
                response.setCookie(
                    Cookie(
                        name: cookie, value: form["language"], maxAge: 365 * 24 * 3600, path: "/",
                        secure: visit.community.isSecure, httpOnly: true, sameSite: .lax))
            }
            return response
        }
    }
}
