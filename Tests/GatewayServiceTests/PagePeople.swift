import GatewayService
import Synchronization
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Auth and listings as far as pages need them, in memory: one community of people and spots.
final class PageBackend: Backend, AccessTokenVerifier {
    struct State {
        var people: [PersonID: Person] = [:]
        var passwords: [String: String] = [:]
        var sessions: [SessionID: (person: PersonID, started: Date, device: String?)] = [:]
        var suspended: [PersonID: Suspension] = [:]
        var roles: [PersonID: Set<PersonRole>] = [:]
        /// Who has shown lately that it is them.
        var proven: Set<PersonID> = []
        /// What leads into the account of a reset, and whether it was to go with the old password.
        var resetIdentities: [IdentityProvider] = []
        var unlinked: [Bool?] = []
        /// Addresses that wait for their code.
        var emails: [PersonID: String] = [:]
        /// What each request id was asked and answered, as the real services keep it.
        var replies: [UUID: (asked: [UInt8], reply: [UInt8])] = [:]

        mutating func start(_ person: Person, on device: String? = nil) -> SessionTokens {
            let id = SessionID.new()
            sessions[id] = (person.id, Date(), device)
            return SessionTokens(accessToken: "session:\(id)", refreshToken: "refresh:\(id)", expiresIn: 600)
        }

        func taken(_ username: String?, besides person: PersonID?) -> Bool {
            username == "taken"
                || people.values.contains {
                    $0.username == username && username != nil && username != "" && $0.id != person
                }
        }
    }

    /// As auth says it, with words of its own at the field.
    static let usernameTaken = ServiceError(
        .usernameTaken, "Taken.", errors: [FieldError("username", "username_taken", "Someone has it.")])

    /// The version that follows, where a change was made up from the one that there is.
    static func version(after now: String?, seen: String?) throws -> String {
        if let seen, seen != now { throw ServiceError.changedMeanwhile(now) }
        return String((now.flatMap { Int($0) } ?? 0) + 1)
    }

    let state = Mutex(State())

    func call<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, _ body: Body, as caller: Caller,
        id: UUID, deadline: Date
    ) async throws -> Reply {
        let (given, content) = (try WireJSON.encode(parameters), try WireJSON.encode(body))
        return try WireJSON.decode(Reply.self, from: try answer(method.name, given, content, caller, id))
    }

    func forward<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, body: [UInt8], as caller: Caller,
        id: UUID, deadline: Date
    ) async throws -> ServiceReply {
        ServiceReply(body: try answer(method.name, try WireJSON.encode(parameters), body, caller, id))
    }

    /// Tokens are what they stand for: `session:…`.
    func verify(_ token: String) async throws(AccessTokenError) -> AccessTokenClaims {
        guard let id = SessionID(String(token.dropFirst(8))),
            let session = state.withLock({ $0.sessions[id] })
        else { throw .revoked }
        let now = Int(Date().timeIntervalSince1970)
        let person = session.person
        return AccessTokenClaims(
            sub: session.person, sid: id, iat: now, exp: now + 600, roles: state.withLock { $0.roles[person] },
            suspended: state.withLock { $0.suspended[person] } == nil ? nil : true)
    }

    private func answer(
        _ method: String, _ parameters: [UInt8], _ body: [UInt8], _ caller: Caller, _ id: UUID
    ) throws -> [UInt8] {
        try state.withLock { state in
            let asked = Array(method.utf8) + parameters + body
            if let known = state.replies[id] {
                guard known.asked == asked else {
                    throw ServiceError(.idempotencyMismatch, "Used for another request.")
                }
                return known.reply
            }
            let call = PageCall(parameters: parameters, body: body, caller: caller)
            let reply = try call.perform(method, on: &state)
            state.replies[id] = (asked, reply)
            return reply
        }
    }
}

/// One request to the services in memory.
struct PageCall {
    let parameters: [UInt8]
    let body: [UInt8]
    let caller: Caller

    typealias Outcome = [UInt8]

    func perform(_ method: String, on state: inout PageBackend.State) throws -> Outcome {
        switch method {
        case "auth.signUp", "auth.signIn", "auth.refresh", "auth.person", "auth.username",
            "auth.requestPasswordReset", "auth.passwordReset", "auth.resetPassword":
            try door(method, &state)
        case _ where method.hasPrefix("auth."): try account(method, &state)
        default: throw ServiceError.notFound("answer to \(method)")
        }
    }

    private func door(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        switch method {
        case "auth.signUp":
            let given = try WireJSON.decode(SignUp.self, from: body)
            var errors: [FieldError] = []
            if given.name.isEmpty { errors.append(FieldError("name", "required", "Enter the name.")) }
            if !given.email.contains(".") { errors.append(FieldError("email", "email", "Not an email address.")) }
            if given.password.count < 8 { errors.append(FieldError("password", "too_short", "Use at least 8.")) }
            guard errors.isEmpty else { throw ServiceError.invalid(errors) }
            if state.taken(given.username, besides: nil) { throw PageBackend.usernameTaken }
            let person = Person(
                id: .new(), name: given.name, username: given.username.flatMap { $0.isEmpty ? nil : $0 },
                email: given.email, region: given.region.flatMap { $0.isEmpty ? nil : $0 }, photo: given.photo,
                memberSince: Date())
            state.people[person.id] = person
            state.passwords[given.email] = given.password
            return try WireJSON.encode(NewAccount(person: person, session: try start(person, &state)))
        case "auth.signIn":
            let given = try WireJSON.decode(SignIn.self, from: body)
            guard state.passwords[given.email] == given.password,
                let person = state.people.values.first(where: { $0.email == given.email })
            else { throw ServiceError(.wrongCredentials, "No.") }
            return try WireJSON.encode(SignedIn(tokens: try start(person, &state), person: person))
        case "auth.requestPasswordReset":
            let given = try WireJSON.decode(PasswordResetRequest.self, from: body)
            guard given.email.contains(".") else {
                throw ServiceError.invalid([FieldError("email", "email", "Not an email address.")])
            }
            return []
        case "auth.passwordReset":
            guard try WireJSON.decode(PasswordResetLink.self, from: body).token == "good" else {
                throw ServiceError.invalid([FieldError("token", "dead", "No longer good.")])
            }
            let account = PasswordResetAccount(
                name: "Maya", username: "maya", memberSince: Date(), identities: state.resetIdentities)
            return try WireJSON.encode(account)
        case "auth.resetPassword":
            let given = try WireJSON.decode(PasswordReset.self, from: body)
            guard given.token == "good" else {
                throw ServiceError.invalid([FieldError("token", "dead", "No longer good.")])
            }
            guard given.password.count >= 8 else {
                throw ServiceError.invalid([FieldError("password", "too_short", "Use at least 8.")])
            }
            state.unlinked.append(given.unlink)
            return []
        case "auth.person":
            let id = try WireJSON.decode(PersonReference.self, from: parameters).id
            guard var person = state.people[id] else {
                throw ServiceError.notFound("person")
            }
            (person.email, person.emailVerified, person.phone, person.mode) = (nil, nil, nil, nil)
            return try WireJSON.encode(person)
        case "auth.username":
            let username = try WireJSON.decode(UsernameQuestion.self, from: parameters).username
            if username.contains("!") {
                throw ServiceError.invalid([FieldError("username", "characters", "Use letters.")])
            }
            let taken = state.taken(username, besides: caller.person)
            let answer = UsernameAvailability(
                username: username, free: !taken, suggestions: taken ? [username + "2", username + "_7"] : [])
            return try WireJSON.encode(answer)
        default: throw ServiceError(.unauthenticated, "This session has ended.")
        }
    }

    func start(_ person: Person, _ state: inout PageBackend.State) throws -> SessionTokens {
        state.start(person, on: (try? WireJSON.decode(DeviceParameters.self, from: parameters))?.device)
    }
}
