import Foundation
import Testing
import WireProtocol

@testable import AuthService

/// What is true of a friendship, without any store.
@Suite struct FriendshipTests {
    private let ada = PersonID.new()
    private let ben = PersonID.new()
    private let noon = Date(timeIntervalSince1970: 1_790_000_000)
    private let later = Date(timeIntervalSince1970: 1_790_003_600)

    private func pressed(
        by person: PersonID, _ found: Friendship?, having count: Int = 0
    ) throws(FriendshipError) -> FriendshipDecision {
        try Friendship.press(
            by: person, for: person == ada ? ben : ada, finding: found, having: count, at: later,
            within: FriendLimits(most: 2))
    }

    @Test func pressing_asks_and_the_others_pressing_accepts() throws {
        let asked = Friendship(asker: ada, asked: ben, since: later)
        #expect(try pressed(by: ada, nil) == .asked(asked))
        let open = Friendship(asker: ada, asked: ben, since: noon)
        #expect(open.state(for: ada) == .asked && open.state(for: ben) == .waiting)
        #expect(try pressed(by: ada, open) == .stays(open))
        let began = Friendship(asker: ada, asked: ben, isAccepted: true, since: later)
        #expect(try pressed(by: ben, open) == .began(began))
        for person in [ada, ben] {
            #expect(began.state(for: person) == .friends)
            #expect(try pressed(by: person, began) == .stays(began))
        }
    }

    @Test func one_may_have_so_many_and_what_one_has_stays() throws {
        #expect(throws: FriendshipError.tooMany(limit: 2)) { try pressed(by: ada, nil, having: 2) }
        let open = Friendship(asker: ada, asked: ben, since: noon)
        #expect(throws: FriendshipError.tooMany(limit: 2)) { try pressed(by: ben, open, having: 2) }
        #expect(try pressed(by: ada, open, having: 2) == .stays(open))
    }

    @Test func nobody_is_their_own_friend() {
        #expect(throws: FriendshipError.oneself) {
            try Friendship.press(
                by: ada, for: ada, finding: nil, having: 0, at: noon, within: FriendLimits())
        }
        #expect(throws: FriendshipError.oneself) {
            try Friendship.end(by: ada, with: ada, finding: nil, expecting: nil)
        }
    }

    @Test func what_there_is_ends_where_it_stands_as_was_believed() throws {
        let open = Friendship(asker: ada, asked: ben, since: noon)
        let friends = Friendship(asker: ada, asked: ben, isAccepted: true, since: noon)
        func ended(
            _ found: Friendship?, by person: PersonID, _ state: FriendState?
        ) throws(FriendshipError) -> FriendshipDecision {
            try Friendship.end(by: person, with: person == ada ? ben : ada, finding: found, expecting: state)
        }
        #expect(try ended(nil, by: ada, .friends) == .stays(nil))
        #expect(try ended(open, by: ada, .asked) == .dropped(open))
        #expect(try ended(open, by: ben, .waiting) == .dropped(open))
        #expect(try ended(open, by: ben, nil) == .dropped(open))
        #expect(try ended(friends, by: ben, .friends) == .ended(friends))
        // A button that took a question back, pressed when it was accepted meanwhile.
        #expect(throws: FriendshipError.changed) { try ended(friends, by: ada, .asked) }
        #expect(throws: FriendshipError.changed) { try ended(open, by: ben, .asked) }
    }

    @Test func what_no_page_of_friends_is() throws {
        #expect(throws: ServiceError.self) { try FriendPage(FriendQuery(limit: 0)) }
        #expect(throws: ServiceError.self) { try FriendPage(FriendQuery(state: FriendState.none)) }
    }
}
