import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Who belongs to a campus, through every service.
    @Suite(.serialized, .onProcesses) struct CampusTests {
        @Test func the_code_of_a_mail_puts_a_badge_on_everything_that_was_posted() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            #expect(try await ben.about().campuses?.map(\.id) == ["hill", "bay"])
            let spot = try await ada.postSpot(Community.draft())
            #expect(spot.postedBy.campus == nil)
            let address = "ada-\(UUID().uuidString.lowercased())@hill.example.org"
            try await ada.requestEmailVerification(email: address)
            let mail = try await Mailbox.onlyMail(to: address)
            let code = String(try #require(mail.firstMatch(of: /\r\n([0-9]{6})\r\n/)).1)
            let guess = code == "111111" ? "222222" : "111111"
            #expect(await Result { try await ada.verifyEmail(code: guess) }.refusal == .invalid)
            #expect(try await ada.verifyEmail(code: code).campus == "hill")
            #expect(try await ben.person(spot.postedBy.id).campus == "hill")
            #expect(await eventually { (try? await ben.spot(spot.id).postedBy.campus) == "hill" })
            // A code is good once, and an address for one account.
            #expect(await Result { try await ada.verifyEmail(code: code) }.refusal == .invalid)
            try await ben.requestEmailVerification(email: address)
            let often = await Result { try await ben.requestEmailVerification(email: address) }
            #expect(often.refusal == .tooManyRequests)
            // No log knows the code or the address.
            let stack = try await Community.stack
            for service in PeerRole.services where stack.isLocal {
                let log = try stack.log(of: service)
                #expect(!log.isEmpty && !log.contains(address) && !log.contains("\"\(code)\""), "\(service)")
            }
        }
    }
}
