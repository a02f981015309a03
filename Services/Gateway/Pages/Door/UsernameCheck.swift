import Hummingbird
import PlainText
import WireProtocol

/// `/usernames?username=…`: says under the field, while it is being typed, whether a username is free.
struct UsernameCheck {
    var free: Bool
    var text: String
    /// Free ones like it; pressing one takes it.
    var suggestions: [String]

    static let path = "/usernames"

    static func register(on routes: PageRoutes) {
        routes.get("/usernames") { visit in
            let username = (visit.query("username") ?? "").trimmed
            guard !username.isEmpty else { return visit.html("") }
            do {
                let question = UsernameQuestion(username: username)
                let found = try await visit.ask(AuthMethods.username, question, Nothing(), within: 2)
                return visit.fragment("door/username", UsernameCheck(found, in: visit.words))
            } catch let error as ServiceError where error.code == .invalid {
                let errors = FieldErrors(error, visit.words)
                let text = errors.messages["username"] ?? visit.told(error)
                return visit.fragment("door/username", UsernameCheck(free: false, text: text, suggestions: []))
            }
        }
    }

    private init(free: Bool, text: String, suggestions: [String]) {
        (self.free, self.text, self.suggestions) = (free, text, suggestions)
    }

    private init(_ found: UsernameAvailability, in words: Words) {
        let text =
            found.free
            ? words["username.free", ["name": found.username]]
            : words[found.suggestions.isEmpty ? "field.username.username_taken" : "username.taken"]
        self.init(free: found.free, text: text, suggestions: found.suggestions)
    }

    /// For a form that was refused because somebody has the username: others to choose from, where auth says any.
    static func others(than username: String, in visit: Visit) async -> UsernameCheck? {
        let question = UsernameQuestion(username: username)
        guard let found = try? await visit.ask(AuthMethods.username, question, Nothing(), within: 1),
            !found.suggestions.isEmpty
        else { return nil }
        return UsernameCheck(free: false, text: visit.words["username.others"], suggestions: found.suggestions)
    }
}
