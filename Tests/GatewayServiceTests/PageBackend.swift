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
        var spots: [Spot] = []
        var things: [Thing] = []
        var rentals: [Rental] = []
        var taken: [ThingID: [TakenPeriod]] = [:]
        /// The last day on which anything may begin.
        var lastDay: String?
        /// Whether nobody asks twice for the same time.
        var asksOnce = false
        var friendships: Set<PageFriendship> = []
        var encounters: [PageEncounter] = []
        var reviews: [Review] = []
        var blocks: [PageBlock] = []
        var rooms: [PageRoom] = []
        var identities = PageIdentities()
        var passkeys = PagePasskeys()
        var cases: [PageCase] = []
        var suspended: [PersonID: Suspension] = [:]
        var moderators: Set<PersonID> = []
        var operators: Set<PersonID> = []
        var mails: [KeptMailContent] = []
        var pushes: [DeadPush] = []
        var notices: [(PersonID, Notice)] = []
        var inbox: [(person: PersonID, notice: InboxNotice)] = []
        var noticeSettings: [PersonID: NoticeSettings] = [:]
        var devices: [(person: PersonID, device: PushDevice)] = []
        /// By token, what they end and whether they have.
        var unsubscriptions: [String: Unsubscription] = [:]
        var calendars: [PersonID: CalendarFeed] = [:]
        var calendarsMade = 0
        /// Who has shown lately that it is them.
        var proven: Set<PersonID> = []
        /// What leads into the account of a reset, and whether it was to go with the old password.
        var resetIdentities: [IdentityProvider] = []
        var unlinked: [Bool?] = []
        /// Addresses that wait for their code.
        var emails: [PersonID: String] = [:]
        var calendarEntries: [CalendarEntry] = []
        /// Whether any places were imported.
        var knowsPlaces = false
        /// What each request id was asked and answered, as the real services keep it.
        var replies: [UUID: (asked: [UInt8], reply: [UInt8])] = [:]
        /// Methods that refuse, with what.
        var refusals: [String: ServiceError] = [:]
        /// Methods that do what they are asked, and whose answers are lost.
        var lost: Set<String> = []
        var asked: [String] = []
        /// Those of them that change something.
        var commands: [String] = []

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
    /// Hears of what happens to spots.
    let published: @Sendable (any Event, Position) -> Void

    init(published: @escaping @Sendable (any Event, Position) -> Void = { _, _ in }) { self.published = published }

    func call<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, _ body: Body, as caller: Caller,
        id: UUID, deadline: Date
    ) async throws -> Reply {
        try meet(method, caller)
        let (given, content) = (try WireJSON.encode(parameters), try WireJSON.encode(body))
        return try WireJSON.decode(Reply.self, from: try answer(method.name, given, content, caller, id))
    }

    func forward<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, body: [UInt8], as caller: Caller,
        id: UUID, deadline: Date
    ) async throws -> ServiceReply {
        try meet(method, caller)
        return ServiceReply(body: try answer(method.name, try WireJSON.encode(parameters), body, caller, id))
    }

    /// As the router of every service does.
    private func meet<P, B, R>(_ method: Method<P, B, R>, _ caller: Caller) throws {
        if method.kind == .command { state.withLock { $0.commands.append(method.name) } }
        guard method.isForSuspended || !caller.isSuspended else { throw ServiceError.notWhileSuspended }
    }

    /// Tokens are what they stand for: `session:…`.
    func verify(_ token: String) async throws(AccessTokenError) -> AccessTokenClaims {
        guard let id = SessionID(String(token.dropFirst(8))),
            let session = state.withLock({ $0.sessions[id] })
        else { throw .revoked }
        let now = Int(Date().timeIntervalSince1970)
        let person = session.person
        let roles: [(PersonRole, Bool)] = state.withLock {
            [(.moderator, $0.moderators.contains(person)), (.operator, $0.operators.contains(person))]
        }
        let held = Set(roles.filter(\.1).map(\.0))
        return AccessTokenClaims(
            sub: session.person, sid: id, iat: now, exp: now + 600, roles: held.isEmpty ? nil : held,
            suspended: state.withLock { $0.suspended[person] } == nil ? nil : true)
    }

    private func answer(
        _ method: String, _ parameters: [UInt8], _ body: [UInt8], _ caller: Caller, _ id: UUID
    ) throws -> [UInt8] {
        try state.withLock { state in
            state.asked.append(method)
            if let refusal = state.refusals[method] { throw refusal }
            let asked = Array(method.utf8) + parameters + body
            if let known = state.replies[id] {
                guard known.asked == asked else {
                    throw ServiceError(.idempotencyMismatch, "Used for another request.")
                }
                return known.reply
            }
            let call = PageCall(parameters: parameters, body: body, caller: caller)
            let (reply, events) = try call.perform(method, on: &state)
            for (event, position) in events { published(event, position) }
            state.replies[id] = (asked, reply)
            if state.lost.contains(method) { throw ServiceError(.outcomeUnknown, "No answer in time.") }
            return reply
        }
    }
}

/// One request to the services in memory.
struct PageCall {
    let parameters: [UInt8]
    let body: [UInt8]
    let caller: Caller

    typealias Outcome = (reply: [UInt8], events: [(any Event, Position)])

    func perform(_ method: String, on state: inout PageBackend.State) throws -> Outcome {
        switch method {
        case "auth.signUp", "auth.signIn", "auth.refresh", "auth.person", "auth.username",
            "auth.requestPasswordReset", "auth.passwordReset", "auth.resetPassword":
            try door(method, &state)
        case "auth.friend", "auth.friends", "auth.mutualFriends", "auth.befriend", "auth.unfriend":
            try friends(method, &state)
        case "auth.reviews", "auth.review", "auth.encounters", "auth.writeReview", "auth.replyToReview":
            try reviews(method, &state)
        case "auth.report", "auth.cases", "auth.caseFile", "auth.act", "auth.audit", "auth.notices", "auth.readNotice",
            "auth.suspension", "auth.reportedMessages":
            try moderation(method, &state)
        case "notification.deadPushes", "notification.retryDeadPush", "notification.forgetDeadPush":
            try pushes(method, &state)
        case "notification.mails", "notification.mail", "notification.retryMail": try mails(method, &state)
        case _ where method.hasPrefix("notification."): try inbox(method, &state)
        case "auth.blocks", "auth.block", "auth.unblock", "auth.apart": try blocks(method, &state)
        case _ where method.contains("alendar") && method != "listings.calendar": try calendar(method, &state)
        case _ where method.lowercased().contains("passkey"): try passkeys(method, &state)
        case _ where method.lowercased().contains("identit"): try identities(method, &state)
        case _ where method.hasPrefix("auth."): try account(method, &state)
        case _ where method.hasPrefix("places."): try places(method, state)
        case _ where method.hasPrefix("chat."): try chat(method, &state)
        case _ where method.hasPrefix("listings.") && method.lowercased().contains("rental"):
            try rentals(method, &state)
        case "listings.things", "listings.thing", "listings.carModels", "listings.calendar":
            try things(method, state)
        case "listings.postThing", "listings.changeThing", "listings.amendThing", "listings.publishThing",
            "listings.withdrawThing", "listings.blockDates", "listings.unblockDates":
            try sharing(method, &state)
        case "listings.spots": (try WireJSON.encode(try spots(state)), [])
        case "listings.spot": (try WireJSON.encode(try spot(state)), [])
        default: try change(method, &state)
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
            return (try WireJSON.encode(NewAccount(person: person, session: try start(person, &state))), [])
        case "auth.signIn":
            let given = try WireJSON.decode(SignIn.self, from: body)
            guard state.passwords[given.email] == given.password,
                let person = state.people.values.first(where: { $0.email == given.email })
            else { throw ServiceError(.wrongCredentials, "No.") }
            return (try WireJSON.encode(SignedIn(tokens: try start(person, &state), person: person)), [])
        case "auth.requestPasswordReset":
            let given = try WireJSON.decode(PasswordResetRequest.self, from: body)
            guard given.email.contains(".") else {
                throw ServiceError.invalid([FieldError("email", "email", "Not an email address.")])
            }
            return ([], [])
        case "auth.passwordReset":
            guard try WireJSON.decode(PasswordResetLink.self, from: body).token == "good" else {
                throw ServiceError.invalid([FieldError("token", "dead", "No longer good.")])
            }
            let account = PasswordResetAccount(
                name: "Maya", username: "maya", memberSince: Date(), identities: state.resetIdentities)
            return (try WireJSON.encode(account), [])
        case "auth.resetPassword":
            let given = try WireJSON.decode(PasswordReset.self, from: body)
            guard given.token == "good" else {
                throw ServiceError.invalid([FieldError("token", "dead", "No longer good.")])
            }
            guard given.password.count >= 8 else {
                throw ServiceError.invalid([FieldError("password", "too_short", "Use at least 8.")])
            }
            state.unlinked.append(given.unlink)
            return ([], [])
        case "auth.person":
            let id = try WireJSON.decode(PersonReference.self, from: parameters).id
            guard var person = state.people[id], !state.isApart(id, caller.person) else {
                throw ServiceError.notFound("person")
            }
            (person.email, person.emailVerified, person.phone, person.mode) = (nil, nil, nil, nil)
            return (try WireJSON.encode(person), [])
        case "auth.username":
            let username = try WireJSON.decode(UsernameQuestion.self, from: parameters).username
            if username.contains("!") {
                throw ServiceError.invalid([FieldError("username", "characters", "Use letters.")])
            }
            let taken = state.taken(username, besides: caller.person)
            let answer = UsernameAvailability(
                username: username, free: !taken, suggestions: taken ? [username + "2", username + "_7"] : [])
            return (try WireJSON.encode(answer), [])
        default: throw ServiceError(.unauthenticated, "This session has ended.")
        }
    }

    func start(_ person: Person, _ state: inout PageBackend.State) throws -> SessionTokens {
        let id = SessionID.new()
        let device = (try? WireJSON.decode(DeviceParameters.self, from: parameters))?.device
        state.sessions[id] = (person.id, Date(), device)
        return SessionTokens(accessToken: "session:\(id)", refreshToken: "refresh:\(id)", expiresIn: 600)
    }
}
