import FoundationEssentials
import GatewayService
import WireProtocol

/// Who is there, and in which sessions: what every page asks first.
final class PagePeople: AccessTokenVerifier {
    struct State {
        var people: [PersonID: Person] = [:]
        var sessions: [SessionID: (person: PersonID, started: Date, device: String?)] = [:]
        var roles: [PersonID: Set<PersonRole>] = [:]
        var suspended: Set<PersonID> = []
    }

    let state = Mutable(State())

    func start(_ person: PersonID, on device: String? = nil) -> SessionTokens {
        let id = SessionID.new()
        state.mutate { $0.sessions[id] = (person, Date(), device) }
        return SessionTokens(accessToken: "session:\(id)", refreshToken: "refresh:\(id)", expiresIn: 600)
    }

    /// Tokens are what they stand for: `session:…`.
    func verify(_ token: String) async throws(AccessTokenError) -> AccessTokenClaims {
        let now = state.value
        guard let id = SessionID(String(token.dropFirst(8))), let session = now.sessions[id] else { throw .revoked }
        let time = Int(Date().timeIntervalSince1970)
        return AccessTokenClaims(
            sub: session.person, sid: id, iat: time, exp: time + 600, roles: now.roles[session.person],
            suspended: now.suspended.contains(session.person) ? true : nil)
    }
}

extension ServiceError {
    /// As auth says it, with words of its own at the field.
    static let usernameTaken = ServiceError(
        .usernameTaken, "Taken.", errors: [FieldError("username", "username_taken", "Someone has it.")])
}

extension PageDoor {
    func people() -> [Person] { Array(here.state.value.people.values) }

    func person(_ name: String) throws -> Person {
        guard let person = people().first(where: { $0.name == name }) else { throw ServiceError.notFound("person") }
        return person
    }

    func summary(of caller: Caller) throws -> PersonSummary {
        let id = try caller.requirePerson()
        return people().first { $0.id == id }?.summary ?? PersonSummary(id: id, name: "Somebody")
    }

    /// What auth answers to somebody who is let in: a session that is good here.
    func letIn(_ person: Person, on device: String? = nil) -> SignedIn {
        SignedIn(tokens: here.start(person.id, on: device), person: person)
    }

    /// What auth answers to somebody who has joined.
    func admit(_ person: Person, on device: String? = nil) -> NewAccount {
        here.state.mutate { $0.people[person.id] = person }
        return NewAccount(person: person, session: here.start(person.id, on: device))
    }

    // MARK: What has happened

    /// Changes whoever has that name.
    func change(_ name: String, _ change: (inout Person) -> Void) {
        here.state.mutate { state in
            for (id, person) in state.people where person.name == name {
                var person = person
                change(&person)
                state.people[id] = person
            }
        }
    }

    /// Gives whoever has that name a role.
    func appoint(_ name: String, _ role: PersonRole) {
        here.state.mutate { state in
            for person in state.people.values where person.name == name {
                state.roles[person.id, default: []].insert(role)
            }
        }
    }

    func suspend(_ name: String, _ suspension: Suspension) throws {
        let id = try person(name).id
        here.state.mutate { _ = $0.suspended.insert(id) }
        services.answer(AuthMethods.suspension, suspension)
    }

    func endSessions() { here.state.mutate { $0.sessions = [:] } }

    // MARK: What auth answers

    func showPeople() {
        services.on(AuthMethods.signUp) { request in
            let given = request.content
            let person = Person(
                id: .new(), name: given.name, username: given.username.flatMap { $0.isEmpty ? nil : $0 },
                email: given.email, region: given.region.flatMap { $0.isEmpty ? nil : $0 }, photo: given.photo,
                memberSince: Date())
            return admit(person, on: request.parameters.device)
        }
        services.on(AuthMethods.signIn) { request in
            guard let person = people().first(where: { $0.email == request.content.email }) else {
                throw ServiceError(.wrongCredentials, "No.")
            }
            return letIn(person, on: request.parameters.device)
        }
        services.refuse(AuthMethods.refresh, ServiceError(.unauthenticated, "This session has ended."))
        services.answer(AuthMethods.signOut, Nothing())
        services.answer(AuthMethods.setLanguage, Nothing())
        services.on(AuthMethods.username) { request in
            UsernameAvailability(username: request.parameters.username, free: true, suggestions: [])
        }
        services.on(AuthMethods.me) { try me($0.caller) }
        services.on(AuthMethods.person) { request in
            guard var person = here.state.value.people[request.parameters.id] else {
                throw ServiceError.notFound("person")
            }
            (person.email, person.emailVerified, person.phone, person.mode) = (nil, nil, nil, nil)
            return person
        }
        services.on(AuthMethods.changeProfile) { request in
            var person = try me(request.caller)
            person.take(request.content)
            here.state.mutate { [person] in $0.people[person.id] = person }
            return person
        }
        services.on(AuthMethods.sessions) { request in
            let caller = request.caller
            let own = here.state.value.sessions.filter { $0.value.person == caller.person }.map { id, session in
                Session(
                    id: id, device: session.device, startedAt: session.started, lastUsedAt: Date(),
                    current: id == caller.session)
            }
            return Page(items: own.sorted { $0.id.description < $1.id.description })
        }
    }

    private func me(_ caller: Caller) throws -> Person {
        let id = try caller.requirePerson()
        guard let person = here.state.value.people[id] else {
            throw ServiceError(.unauthenticated, "Gone.")
        }
        return person
    }
}

extension Person {
    /// What a change says of somebody; what it leaves out stays.
    mutating func take(_ change: ProfileChange) {
        func text(_ edit: Edit<String>, _ old: String?) -> String? {
            edit.given.map { $0.flatMap { $0.isEmpty ? nil : $0 } } ?? old
        }
        name = text(change.name, name) ?? name
        username = text(change.username, username)
        region = text(change.region, region)
        photo = text(change.photo, photo)
        phone = text(change.phone, phone)
        bio = text(change.bio, bio)
        car = change.car.given ?? car
        mode = change.mode.given ?? mode
    }
}
