import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Who shows by a text that a number is theirs, through every service.
    @Suite(.serialized) struct PhoneTests {
        @Test func the_code_of_a_text_verifies_the_number_and_nobody_else_sees_it() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            #expect(try await ben.about().verifiesPhones == true)
            let me = try await ada.me()
            let number = "+6588" + String((0..<6).map { _ in "0123456789".randomElement()! })
            try await ada.requestPhoneVerification(phone: number)
            let code = try await Self.code(to: number)
            let guess = code == "111111" ? "222222" : "111111"
            #expect(await Result { try await ada.verifyPhone(code: guess) }.refusal == .invalid)
            // Somebody else's code is none of Ben's.
            #expect(await Result { try await ben.verifyPhone(code: code) }.refusal == .invalid)
            let verified = try await ada.verifyPhone(code: code)
            #expect(verified.phone == number && verified.phoneVerified == true)
            let seen = try await ben.person(me.id)
            #expect(seen.phoneVerified == true && seen.phone == nil)
            #expect(await Result { try await ada.verifyPhone(code: code) }.refusal == .invalid)
            #expect(
                await Result { try await ada.requestPhoneVerification(phone: number) }.refusal == .tooManyRequests)
            // Ben shows it too: he has it, and Ada is told.
            try await ben.requestPhoneVerification(phone: number)
            #expect(
                try await ben.verifyPhone(code: try await Self.code(to: number, besides: code)).phoneVerified == true)
            #expect(try await ada.me().phoneVerified == nil)
            #expect(try await ada.notices().items.map(\.kind) == [.phoneMoved])
            // No log knows the code or the number.
            let stack = try await Community.stack
            for service in PeerRole.services where stack.isLocal {
                let log = try stack.log(of: service)
                #expect(!log.isEmpty && !log.contains(number.dropFirst()) && !log.contains("\"\(code)\""), "\(service)")
            }
        }

        private static func code(to number: String, besides earlier: String? = nil) async throws -> String {
            func codes() async throws -> [String] {
                try await Community.stack.mails().filter { $0.hasPrefix("To: \(number)\r\n") }.compactMap {
                    $0.firstMatch(of: /\r\n([0-9]{6}) is your code/).map { String($0.1) }
                }.filter { $0 != earlier }
            }
            #expect(try await eventually(within: .seconds(90)) { try await !codes().isEmpty }, "no text came")
            return try #require(try await codes().first)
        }
    }
}
