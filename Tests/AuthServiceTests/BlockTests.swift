import Foundation
import Testing
import WireProtocol

@testable import AuthService

/// What is true of a block, without any store.
@Suite struct BlockTests {
    private let ada = PersonID.new()
    private let ben = PersonID.new()
    private let noon = Date(timeIntervalSince1970: 1_790_000_000)
    private let later = Date(timeIntervalSince1970: 1_790_003_600)

    private func begun(
        by person: PersonID, _ found: Block?, having count: Int = 0
    ) throws(BlockError) -> BlockDecision {
        try Block.begin(
            by: person, against: person == ada ? ben : ada, finding: found, having: count, at: later,
            within: BlockLimits(most: 2))
    }

    @Test func it_begins_once_and_whoever_did_it_ends_it() throws {
        let block = Block(blocker: ada, blocked: ben, since: later)
        #expect(try begun(by: ada, nil) == .begins(block))
        let before = Block(blocker: ada, blocked: ben, since: noon)
        #expect(try begun(by: ada, before) == .stays(before))
        #expect(try Block.end(by: ada, against: ben, finding: before) == before)
        #expect(try Block.end(by: ada, against: ben, finding: nil) == nil)
    }

    @Test func who_is_blocked_hears_what_those_hear_who_ask_for_nobody_and_ends_nothing() throws {
        let block = Block(blocker: ada, blocked: ben, since: noon)
        #expect(throws: BlockError.unknownPerson) { try begun(by: ben, block) }
        // Whatever their own number is: a refusal must not depend on what they may not know.
        #expect(throws: BlockError.unknownPerson) { try begun(by: ben, block, having: 2) }
        #expect(try Block.end(by: ben, against: ada, finding: block) == nil)
    }

    @Test func one_may_block_so_many_and_what_is_stays() throws {
        #expect(throws: BlockError.tooMany(limit: 2)) { try begun(by: ada, nil, having: 2) }
        let before = Block(blocker: ada, blocked: ben, since: noon)
        #expect(try begun(by: ada, before, having: 2) == .stays(before))
        #expect(BlockLimits().most == 1000)
    }

    @Test func nobody_blocks_themselves() {
        #expect(throws: BlockError.oneself) {
            try Block.begin(by: ada, against: ada, finding: nil, having: 0, at: noon, within: BlockLimits())
        }
        #expect(throws: BlockError.oneself) { try Block.end(by: ada, against: ada, finding: nil) }
    }

    @Test func two_people_are_one_pair_whoever_comes_first() {
        let pair = BlockedPair(ada, ben)
        #expect(pair == BlockedPair(ben, ada) && pair.low < pair.high)
        #expect(Block(blocker: ben, blocked: ada, since: noon).pair == pair)
    }
}
