import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// What happens when parts are away, killed or cut off.
    @Suite(.serialized) struct FaultTests {
        @Test func a_service_that_is_away_is_said_within_the_deadline_and_the_retry_succeeds() async throws {
            let stack = try await Community.stack
            let ada = try await Community.newcomer("Ada", retry: .never)
            try await stack.kill(.listings)
            let (key, draft) = (UUID().uuidString, Community.draft())
            let asked = ContinuousClock.now
            let outcome = await Result { try await ada.postSpot(draft, key: key) }
            #expect(outcome.refusal == .unavailable || outcome.refusal == .outcomeUnknown)
            // The deadline is five seconds after the request has come; a busy machine may be as late again, and later.
            #expect(ContinuousClock.now - asked < .seconds(15))
            try await stack.start(.listings)
            #expect(await eventually { (try? await ada.postSpot(draft, key: key).name) == draft.name })
            #expect(try await ada.spots(of: .posted).items.count == 1)
        }

        @Test func a_killed_subscriber_comes_back_and_misses_no_event() async throws {
            let stack = try await Community.stack
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let spot = try await ada.postSpot(Community.draft())
            #expect(await eventually { (try? await ben.spot(spot.id).postedBy.name) == "Ada" })
            try await stack.kill(.listings)
            _ = try await ada.changeProfile(ProfileChange(name: "Ada Lovelace"))
            try await stack.start(.listings)
            #expect(await eventually { (try? await ben.spot(spot.id).postedBy.name) == "Ada Lovelace" })
        }

        @Test func a_killed_publisher_comes_back_and_its_events_reach_the_people() async throws {
            let stack = try await Community.stack
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let place = Community.someWhere()
            let watching = Listener(ben, in: Community.box(around: place))
            try await watching.connect()
            let before = try await ada.postSpot(Community.draft("Before", at: place))
            try await stack.kill(.listings)
            try await stack.start(.listings)
            var after: Spot?
            #expect(
                await eventually {
                    after = try? await ada.postSpot(Community.draft("After", at: place))
                    return after != nil
                })
            let expected = [before.id, try #require(after).id]
            #expect(await eventually { watching.spots(named: "spotAdded") == expected })
        }

        @Test func a_stream_that_is_cut_and_resumed_misses_nothing_and_repeats_nothing() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let place = Community.someWhere()
            let watching = Listener(ben, in: Community.box(around: place))
            try await watching.connect()
            let first = try await ada.postSpot(Community.draft("0", at: place))
            #expect(await eventually { !watching.events.isEmpty })
            var posted = [first.id]
            for round in 1...12 {
                if round.isMultiple(of: 3) { watching.cut() }
                posted.append(try await ada.postSpot(Community.draft("\(round)", at: place)).id)
                if round.isMultiple(of: 3) { try await watching.connect() }
            }
            #expect(await eventually { watching.spots(named: "spotAdded").count >= posted.count })
            #expect(watching.spots(named: "spotAdded") == posted)
        }

        @Test func a_stream_resumes_through_a_killed_gateway() async throws {
            let stack = try await Community.stack
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let place = Community.someWhere()
            let watching = Listener(ben, in: Community.box(around: place))
            try await watching.connect()
            var posted = [try await ada.postSpot(Community.draft("0", at: place)).id]
            #expect(await eventually { !watching.events.isEmpty })
            watching.cut()
            posted.append(try await ada.postSpot(Community.draft("unheard", at: place)).id)
            try await stack.kill(.gateway)
            try await stack.start(.gateway)
            posted.append(try await ada.postSpot(Community.draft("after", at: place)).id)
            // A gateway that has just begun lets nobody listen until auth has told it who is apart.
            #expect(await eventually { (try? await watching.connect()) != nil })
            #expect(await eventually { watching.spots(named: "spotAdded").count >= posted.count })
            #expect(watching.spots(named: "spotAdded") == posted)
        }
    }
}
