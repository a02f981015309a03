import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// A block, in every service and on the live stream.
    @Suite(.serialized, .onProcesses) struct BlockTests {
        private struct Two {
            let ada: KampongClient
            let ben: KampongClient
            let adas: PersonID
            let bens: PersonID
            let place = Community.someWhere()

            var box: BoundingBox { Community.box(around: place) }
            var draft: SpotDraft { Community.draft("Ada's", at: place) }

            init() async throws {
                (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
                (adas, bens) = (try await ada.me().id, try await ben.me().id)
            }

            func seen(by client: KampongClient) async throws -> [SpotID] {
                try await client.spots(in: box).items.map(\.id)
            }

            /// Until listings has heard of it, which is a moment after auth has answered.
            func isHidden(_ spot: SpotID, from client: KampongClient) async -> Bool {
                await eventually { await Result { try await client.spot(spot) }.refusal == .notFound }
            }
        }

        @Test func neither_finds_asks_claims_or_hears_the_other_until_it_is_lifted() async throws {
            let two = try await Two()
            let (ada, ben) = (two.ada, two.ben)
            let eve = try await Community.newcomer("Eve")
            let eves = try await eve.me().id
            for (client, id) in [(ben, two.adas), (ada, two.bens)] { _ = try await client.befriend(id) }
            let (first, bens) = (try await ada.postSpot(two.draft).id, try await ben.postSpot(two.draft).id)
            let (atBen, atEve) = (Listener(ben, in: two.box), Listener(eve, in: two.box))
            for listener in [atBen, atEve] { try await listener.connect() }

            let key = UUID().uuidString
            for _ in 0..<2 { #expect(try await ada.block(two.bens, key: key).person.name == "Ben") }
            #expect(try await ada.blocks().items.map(\.person.id) == [two.bens])
            #expect(try await ben.blocks().items.isEmpty)
            #expect(try await ada.friends().items.isEmpty)
            for (client, id) in [(ada, two.bens), (ben, two.adas)] {
                let tries: [Result<Void, any Error>] = [
                    await Result { _ = try await client.person(id) }, await Result { _ = try await client.friend(id) },
                    await Result { _ = try await client.befriend(id) },
                    await Result { _ = try await client.mutualFriends(with: id) },
                ]
                for refused in tries { #expect(refused.refusal == .notFound) }
            }
            #expect(await Result { try await ben.block(two.adas) }.refusal == .notFound)
            #expect(await two.isHidden(first, from: ben))
            #expect(await two.isHidden(bens, from: ada))
            #expect(try await two.seen(by: ben) == [bens])
            #expect(try await two.seen(by: ada) == [first])
            #expect(Set(try await two.seen(by: eve)) == [first, bens])
            for refused in [
                await Result { try await ben.claim(first) }, await Result { try await ben.observe(first, .gone) },
            ] { #expect(refused.refusal == .notFound) }
            #expect(try await eve.person(two.adas).name == "Ada")

            // Ben, who stays on the stream, hears nothing of Ada's any more, and of Eve's all; nor when he comes back and asks what he missed.
            let second = try await ada.postSpot(two.draft).id
            _ = try await eve.claim(second)
            let last = try await eve.postSpot(two.draft).id
            for listener in [atBen, atEve] {
                #expect(await eventually { listener.spots(named: "spotAdded").contains(last) })
            }
            #expect(atEve.spots(named: "spotAdded").contains(second))
            #expect(!atBen.spots(named: "spotAdded").contains(second))
            #expect(atBen.spots(named: "spotClaimed").isEmpty)
            atBen.cut()
            let (third, again) = (try await ada.postSpot(two.draft).id, try await eve.postSpot(two.draft).id)
            try await atBen.connect()
            #expect(await eventually { atBen.spots(named: "spotAdded").contains(again) })
            #expect(!atBen.spots(named: "spotAdded").contains(third))
            #expect(!atBen.events.contains { $0.name.hasPrefix("people") })

            try await ada.unblock(two.bens)
            #expect(await eventually { (try? await ben.spot(first).id) == first })
            #expect(try await ben.person(two.adas).name == "Ada")
            #expect(try await ben.friend(two.adas).state == .none)
            let fourth = try await ada.postSpot(two.draft).id
            #expect(await eventually { atBen.spots(named: "spotAdded").contains(fourth) })
            #expect(try await eve.friends().items.isEmpty && eves != two.bens)
        }

        @Test func a_claim_that_runs_stays_as_agreed_without_the_other_ones_name() async throws {
            let two = try await Two()
            let spot = try await two.ada.postSpot(two.draft).id
            _ = try await two.ben.claim(spot)
            _ = try await two.ada.block(two.bens)
            #expect(await eventually { (try? await two.ben.spot(spot).postedBy.name) == "Someone" })
            #expect(try await two.ada.spot(spot).claim?.by.name == "Someone")
            #expect(try await two.ben.spots(of: .claimed).items.map(\.id) == [spot])
            #expect(try await two.ben.release(spot).state == .free)
            #expect(await Result { try await two.ben.claim(spot) }.refusal == .notFound)
        }

        /// What is blocked is kept apart while auth is away, and while listings was: it hears of it when it comes back.
        @Test func blocks_hold_while_auth_is_away_and_reach_a_listings_that_was() async throws {
            let stack = try await Community.stack
            let two = try await Two()
            let (spot, bens) = (try await two.ada.postSpot(two.draft).id, try await two.ben.postSpot(two.draft).id)
            try await stack.kill(.listings)
            _ = try await two.ada.block(two.bens)
            try await stack.start(.listings)
            #expect(await two.isHidden(spot, from: two.ben))
            try await stack.kill(.auth)
            #expect(await Result { try await two.ben.spot(spot) }.refusal == .notFound)
            #expect(try await two.seen(by: two.ben) == [bens])
            try await stack.start(.auth)
            #expect(await eventually { (try? await two.ada.blocks().items.count) == 1 })
        }
    }
}
