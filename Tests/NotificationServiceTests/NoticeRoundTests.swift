import FoundationEssentials
import Testing
import WireProtocol

@testable import NotificationService

/// What is told by one statement.
@Suite struct NoticeRoundTests {
    private let maya = PersonID.new()
    private let ben = PersonID.new()
    private let now = Date(timeIntervalSince1970: 1_795_262_400)

    private func claim(of spot: SpotID) -> NoticeRaised {
        NoticeRaised(.spotClaimed, .claim(of: spot), to: .people([]), by: nil, Subject(spot), at: now)
    }

    private func people(_ rounds: [NoticeRound]) -> [[PersonID]] { rounds.map { $0.recipients.map(\.person) } }

    @Test func different_things_are_told_together_and_the_same_one_after_the_other() {
        let (one, other) = (SpotID.new(), SpotID.new())
        let rounds = NoticeRound.rounds(
            of: [(claim(of: one), [maya]), (claim(of: other), [maya, ben]), (claim(of: one), [maya])], numbered: 100)
        #expect(people(rounds) == [[maya] + [maya, ben].sorted(), [maya]])
        #expect(rounds.map { $0.recipients.map(\.notice) } == [[1, 2, 2], [1]])
        #expect(rounds.map(\.notices.count) == [2, 1] && rounds.map(\.isMany) == [false, false])
    }

    @Test func what_many_hear_of_is_told_by_itself() {
        let spots = (0..<3).map { _ in SpotID.new() }
        let many = (0..<4).map { _ in PersonID.new() }
        let rounds = NoticeRound.rounds(
            of: [(claim(of: spots[0]), [ben]), (claim(of: spots[1]), many + many), (claim(of: spots[2]), [ben])],
            numbered: 3)
        #expect(people(rounds) == [[ben], many.sorted(), [ben]])
        #expect(rounds.map(\.isMany) == [false, true, false])
    }

    @Test func of_nothing_there_is_nothing_to_tell() {
        #expect(NoticeRound.rounds(of: [], numbered: 3).isEmpty)
    }
}
