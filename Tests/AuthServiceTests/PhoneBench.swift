import Foundation
import TestKit
import Testing
import WireProtocol

@testable import AuthService

/// Auth where texts are sent, and an office that takes them.
struct PhoneBench {
    let auth: AuthBench
    let office = PostOffice()

    static func run(
        _ change: (inout PhonePolicy) -> Void = { _ in }, _ test: (PhoneBench) async throws -> Void
    ) async throws {
        try await AuthBench.run({
            $0.phones.isOn = true
            change(&$0.phones)
        }) { try await test(PhoneBench(auth: $0)) }
    }

    func join(_ name: String) async throws -> Person { try await auth.signUp("\(name)@example.org").person }

    func me(_ person: Person) async throws -> Person {
        try await auth.call(AuthMethods.me, Nothing(), Nothing(), as: Caller(person: person.id))
    }

    func change(_ change: ProfileChange, as person: Person) async throws -> Person {
        try await auth.call(AuthMethods.changeProfile, Nothing(), change, as: Caller(person: person.id))
    }

    func ask(_ number: String, language: String? = nil, as caller: Caller) async throws {
        let _: Nothing = try await auth.call(
            AuthMethods.requestPhoneVerification, LanguageParameters(language: language),
            PhoneVerificationRequest(phone: number), as: caller)
    }

    /// The code of the text that comes when a person asks for one; nil where none comes.
    func code(for person: Person, _ number: String, language: String? = nil) async throws -> String? {
        let before = office.texts.count
        try await ask(number, language: language, as: Caller(person: person.id))
        _ = try await auth.mails(to: office).round()
        return office.texts.dropFirst(before).first?.phoneCode?.code
    }

    func verify(_ code: String, as person: Person?, id: UUID = .version7()) async throws -> Person {
        try await auth.call(
            AuthMethods.verifyPhone, Nothing(), PhoneVerification(code: code), as: Caller(person: person?.id), id: id)
    }

    func prove(_ number: String, by person: Person) async throws {
        let code = try #require(try await code(for: person, number))
        #expect(try await verify(code, as: person).phoneVerified == true)
    }
}
