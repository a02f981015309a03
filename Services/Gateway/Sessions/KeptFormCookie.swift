import FoundationEssentials
import HTTPTypes
import Hummingbird
import WireProtocol

/// Where a browser keeps a sealed form (`KeptForm`) while its person signs in: whichever way they go, by a provider or by a link in a mail, it is
/// there when they are back. No address carries it, so nobody can hand one to somebody else.
struct KeptFormCookie: Sendable {
    /// Bytes of what is sealed. Browsers keep 4096 with the name.
    static let largest = 3800

    let secure: Bool

    private var name: String { (secure ? "__Host-" : "") + "kampong_typed" }

    static func fits(_ sealed: String) -> Bool { sealed.utf8.count <= largest }

    /// Nil where nothing is kept.
    func sealed(in request: Request) -> String? {
        request.cookies[name].flatMap { $0.value.isEmpty ? nil : $0.value }
    }

    func keep(_ sealed: String, on response: inout Response) { set(sealed, Int(KeptForm.lifetime), &response) }
    func forget(on response: inout Response) { set("", 0, &response) }

    private func set(_ value: String, _ lifetime: Int, _ response: inout Response) {
        response.setCookie(
            Cookie(
                name: name, value: value, maxAge: lifetime, path: "/", secure: secure, httpOnly: true, sameSite: .lax))
    }
}

extension WebSessions {
    /// What a browser keeps of somebody whose session had ended; nil where it is not ours, or too old.
    func keptForm(in request: Request, at now: Date = Date()) -> KeptForm? {
        keptForms.sealed(in: request).flatMap { csrf.forms.open($0, at: now) }
    }

    /// The answer to whoever has just signed in: to what they had typed, where the browser keeps it for them, else to where they were going. What
    /// it keeps for somebody else is forgotten.
    func begin(
        _ tokens: SessionTokens, of person: PersonID, for request: Request, to target: String, done: String? = nil
    ) -> Response {
        let isTheirs = keptForm(in: request)?.person == person
        let path = isTheirs ? ResumePage.path + LocalPath.query(next: target) : target
        let query = done.map { (path.contains("?") ? "&" : "?") + "done=\($0)" } ?? ""
        var response = Response(status: .seeOther, headers: [.location: path + query, .cacheControl: "no-store"])
        start(tokens, on: &response)
        if !isTheirs { forgetKeptForm(of: request, on: &response) }
        return response
    }

    func forgetKeptForm(of request: Request, on response: inout Response) {
        if keptForms.sealed(in: request) != nil { keptForms.forget(on: &response) }
    }
}
