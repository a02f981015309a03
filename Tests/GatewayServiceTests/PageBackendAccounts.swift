import Foundation
import WireProtocol

extension PageCall {
    private static let password = "a walk along the harbour"
    static let proofNeeded = ServiceError(.proofNeeded, "Show first that it is you.")

    func account(_ method: String, _ state: inout PageBackend.State) throws -> Outcome {
        let me = try caller.requirePerson()
        switch method {
        case "auth.me", "auth.setLanguage": break
        case "auth.changeProfile":
            let change = try WireJSON.decode(ProfileChange.self, from: body)
            guard var person = state.people[me] else { throw ServiceError(.unauthenticated, "Gone.") }
            try person.apply(change)
            person.version = try PageBackend.version(after: person.version, seen: change.version)
            if state.taken(person.username, besides: me) { throw PageBackend.usernameTaken }
            state.people[me] = person
        case "auth.requestEmailVerification":
            let given = try WireJSON.decode(EmailVerificationRequest.self, from: body)
            guard given.email.hasSuffix("@hill.example.org") else {
                throw ServiceError.invalid([FieldError("email", "no_campus", "No campus.")])
            }
        case "auth.verifyEmail":
            guard try WireJSON.decode(EmailVerification.self, from: body).code == "048213" else {
                throw ServiceError.invalid([FieldError("code", "wrong", "Not the code.")])
            }
            state.people[me]?.campus = "hill"
        case "auth.requestPhoneVerification":
            let given = try WireJSON.decode(PhoneVerificationRequest.self, from: body)
            guard given.phone.hasPrefix("+") else {
                throw ServiceError.invalid([FieldError("phone", "country", "Begin with +.")])
            }
        case "auth.verifyPhone":
            guard try WireJSON.decode(PhoneVerification.self, from: body).code == "048213" else {
                throw ServiceError.invalid([FieldError("code", "wrong", "Not the code.")])
            }
            state.people[me]?.phone = "+6591234567"
            state.people[me]?.phoneVerified = true
        case "auth.prove":
            guard try WireJSON.decode(ProofOfPerson.self, from: body).password == Self.password else {
                throw ServiceError.invalid([FieldError("password", "wrong", "Not the password.")])
            }
            state.proven.insert(me)
        case "auth.changePassword":
            let given = try WireJSON.decode(PasswordChange.self, from: body)
            guard given.current != nil || state.proven.contains(me) else { throw Self.proofNeeded }
            guard given.current ?? Self.password == Self.password else {
                throw ServiceError.invalid([FieldError("current", "wrong", "Not the password.")])
            }
            guard given.password.count >= 8 else {
                throw ServiceError.invalid([FieldError("password", "too_short", "Use at least 8.")])
            }
        case "auth.changeEmail":
            let given = try WireJSON.decode(EmailChange.self, from: body)
            guard given.email.contains(".") else {
                throw ServiceError.invalid([FieldError("email", "email", "Not an email address.")])
            }
            guard given.email == state.people[me]?.email || given.password == Self.password else {
                throw given.password == nil
                    ? Self.proofNeeded : ServiceError.invalid([FieldError("password", "wrong", "Not the password.")])
            }
            state.emails[me] = given.email
        case "auth.confirmEmail":
            guard try WireJSON.decode(EmailConfirmation.self, from: body).code == "048213" else {
                throw ServiceError.invalid([FieldError("code", "wrong", "Not the code.")])
            }
            state.people[me]?.email = state.emails[me]
            state.people[me]?.emailVerified = true
        case "auth.sessions":
            let own = state.sessions.filter { $0.value.person == me }.map {
                Session(
                    id: $0.key, device: $0.value.device, startedAt: $0.value.started, lastUsedAt: Date(),
                    current: $0.key == caller.session)
            }
            return try WireJSON.encode(Page(items: own.sorted { $0.id.description < $1.id.description }))
        case "auth.export": throw ServiceError.notFound("archive")
        case "auth.requestExport":
            let export = DataExport(id: .new(), requestedAt: Date(), parts: [DataExportPart(service: "auth")])
            return try WireJSON.encode(export)
        case "auth.signOut": state.sessions[caller.session!] = nil
        case "auth.endSession":
            state.sessions[try WireJSON.decode(SessionReference.self, from: parameters).id] = nil
        case "auth.endAllSessions": state.sessions = state.sessions.filter { $0.value.person != me }
        default: throw ServiceError.notFound("method")
        }
        let people = ["auth.me", "auth.changeProfile", "auth.verifyEmail", "auth.verifyPhone", "auth.confirmEmail"]
        guard people.contains(method) else { return [] }
        guard let person = state.people[me] else { throw ServiceError(.unauthenticated, "Gone.") }
        return try WireJSON.encode(person)
    }
}

extension Person {
    /// As auth does, with a few of its refusals.
    fileprivate mutating func apply(_ change: ProfileChange) throws {
        func text(_ edit: Edit<String>, _ old: String?) -> String? {
            edit.given.map { $0.flatMap { $0.isEmpty ? nil : $0 } } ?? old
        }
        var errors: [FieldError] = []
        if change.name.given == .some("") { errors.append(FieldError("name", "required", "Enter the name.")) }
        if case .set(let username) = change.username, username.contains("!") {
            errors.append(FieldError("username", "length", "Use 3 to 30 characters."))
        }
        if case .set(let phone) = change.phone, !phone.hasPrefix("+") {
            errors.append(FieldError("phone", "country", "Begin with +."))
        }
        if case .set(let car) = change.car, car.year == 1492 {
            errors.append(FieldError("car.year", "out_of_range", "From 1886."))
        }
        guard errors.isEmpty else { throw ServiceError.invalid(errors) }
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
