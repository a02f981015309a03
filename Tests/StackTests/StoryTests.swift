import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// What people do, from sign-up to a claimed spot, on whatever stack there is: processes here, or containers.
    @Suite(.serialized) struct StoryTests {
        @Test(.onProcesses) func a_bad_email_and_a_short_password_are_named_at_their_fields() async throws {
            let client = KampongClient(baseURL: try await Community.address)
            let error = await #expect(throws: Problem.self) {
                try await client.signUp(SignUp(email: "ada@", password: "short", name: " "))
            }
            let problem = try #require(error)
            #expect(problem.status == 422)
            #expect(Set(problem.errors.map(\.field)) == ["email", "password", "name"])
            #expect(problem.errors.allSatisfy { !$0.message.isEmpty })
        }

        @Test func a_spot_is_posted_seen_live_claimed_once_and_leaves_every_map() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let place = Community.someWhere()
            let watching = Listener(ben, in: Community.box(around: place))
            try await watching.connect()

            let picture = try await ada.uploadPhoto(Picture.jpeg, contentType: "image/jpeg")
            var draft = Community.draft("Fabianinkatu 33", at: place)
            draft.photo = picture.id
            draft.price = Money(amount: 200, currency: try await ada.about().currency)
            let posted = try await ada.postSpot(draft)
            #expect(posted.state == .free && posted.mine && posted.postedBy.name == "Ada")
            #expect(await eventually { watching.spots(named: "spotAdded") == [posted.id] })

            let onTheMap = try await ben.spots(in: Community.box(around: place)).items
            #expect(onTheMap.map(\.id) == [posted.id])
            #expect(onTheMap.first?.price == draft.price && onTheMap.first?.photo == picture.id)
            #expect(onTheMap.first?.mine == false)

            async let first = Result { try await ben.claim(posted.id) }
            async let second = Result { try await eve.claim(posted.id) }
            let outcomes = await [first, second]
            #expect(outcomes.count { (try? $0.get().state) == .claimed } == 1)
            #expect(outcomes.count { $0.refusal == .alreadyClaimed } == 1)
            #expect(await eventually { watching.spots(named: "spotClaimed") == [posted.id] })
            #expect(try await ada.spots(in: Community.box(around: place)).items.isEmpty)
        }

        @Test(.onProcesses) func a_claim_is_seen_by_the_two_concerned_and_can_be_given_back() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let spot = try await ada.postSpot(Community.draft())
            #expect(await Result { try await ada.claim(spot.id) }.refusal != nil)
            _ = try await ben.claim(spot.id)
            #expect(try await ada.spot(spot.id).claim?.by.name == "Ben")
            #expect(try await ben.spot(spot.id).claim?.mine == true)
            #expect(try await eve.spot(spot.id).claim == nil)
            #expect(await Result { try await eve.release(spot.id) }.refusal != nil)
            #expect(try await ben.release(spot.id).state == .free)
            #expect(try await eve.claim(spot.id).state == .claimed)
        }

        @Test(.onProcesses) func a_spot_ends_with_its_time() async throws {
            let ada = try await Community.newcomer()
            var draft = Community.draft()
            let watching = Listener(ada, in: Community.box(around: draft.position))
            try await watching.connect()
            draft.expiresAt = Date().addingTimeInterval(4)
            let spot = try await ada.postSpot(draft)
            #expect(
                await eventually {
                    watching.events.contains { $0.name == "spotRemoved" && $0.data.contains("expired") }
                })
            #expect(try await ada.spots(in: Community.box(around: draft.position)).items.isEmpty)
            #expect(try await ada.spot(spot.id).state == .expired)
        }

        @Test(.onProcesses) func two_passers_by_who_find_it_gone_end_it() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer(), try await Community.newcomer(), try await Community.newcomer()
            )
            let spot = try await ada.postSpot(Community.draft())
            let once = try await ben.observe(spot.id, .gone)
            #expect(once.state == .free && once.likelyGone && once.expiresAt < spot.expiresAt)
            #expect(try await eve.observe(spot.id, .gone).state == .expired)
        }

        @Test(.onProcesses) func others_may_neither_change_nor_remove_a_spot() async throws {
            let (ada, eve) = (try await Community.newcomer(), try await Community.newcomer())
            let spot = try await ada.postSpot(Community.draft())
            #expect(
                await Result { try await eve.changeSpot(spot.id, to: Community.draft("Mine")) }.refusal == .forbidden)
            #expect(await Result { try await eve.removeSpot(spot.id) }.refusal == .forbidden)
            #expect(
                try await ada.changeSpot(spot.id, to: Community.draft("Behind the library", at: spot.position)).name
                    == "Behind the library")
            try await ada.removeSpot(spot.id)
            #expect(try await ada.spot(spot.id).state == .removed)
        }

        @Test(.onProcesses) func signing_out_everywhere_ends_every_session_at_once() async throws {
            let email = Community.someEmail()
            let phone = KampongClient(baseURL: try await Community.address)
            let laptop = KampongClient(baseURL: try await Community.address)
            _ = try await phone.signUp(SignUp(email: email, password: "eight or more", name: "Ada"))
            _ = try await laptop.signIn(email: email, password: "eight or more")
            #expect(try await laptop.sessions().count == 2)
            try await laptop.signOutEverywhere()
            #expect(await eventually { await Result { try await phone.me() }.refusal == .unauthenticated })
        }

        @Test(.onProcesses) func nobody_does_anything_without_a_session() async throws {
            let stranger = KampongClient(baseURL: try await Community.address)
            #expect(await Result { try await stranger.postSpot(Community.draft()) }.refusal == .unauthenticated)
            #expect(await Result { try await stranger.claim(.new()) }.refusal == .unauthenticated)
            #expect(await Result { try await stranger.me() }.refusal == .unauthenticated)
        }
    }
}
