import Foundation
import Testing

@testable import AuthService

/// The decision alone.
@Suite struct PhoneTallyTests {
    private let now = Date(timeIntervalSince1970: 1_795_232_513)

    @Test func verdicts() {
        var policy = PhonePolicy()
        (policy.perPerson, policy.perNumber, policy.inAll, policy.pause) = (3, 2, 10, 60)
        func verdict(_ person: Int, _ number: Int, _ all: Int, _ ago: TimeInterval?) -> PhoneTally.Verdict {
            PhoneTally(
                ofPerson: person, toNumber: number, inAll: all,
                latestOfPerson: ago.map { now.addingTimeInterval(-$0) }
            ).verdict(policy, now: now)
        }
        #expect(verdict(0, 0, 0, nil) == .send)
        #expect(verdict(2, 1, 9, 60) == .send)
        #expect(verdict(1, 0, 0, 59.5) == .wait(1))
        #expect(verdict(3, 0, 0, 61) == .wait(86_400))
        #expect(verdict(1, 2, 9, 61) == .sendNothing)
        // Whoever asks is told that of all; what others asked for one number is told to nobody.
        #expect(verdict(1, 2, 10, 61) == .exhausted(3600))
        #expect(verdict(3, 2, 10, 61) == .wait(86_400))
    }
}
