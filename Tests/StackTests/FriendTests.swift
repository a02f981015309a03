import Foundation
import KampongClient
import Testing
import WireProtocol

extension StackTests {
    /// Friends, through every service and the live stream.
    @Suite(.serialized, .onProcesses) struct FriendTests {
        @Test func somebody_is_asked_live_accepts_and_both_have_a_friend() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let (adas, bens) = (try await ada.me().id, try await ben.me().id)
            let (atAda, atBen, atEve) = (Listener(ada), Listener(ben), Listener(eve))
            for listener in [atAda, atBen, atEve] { try await listener.connect() }
            let key = UUID().uuidString
            for _ in 0..<2 { #expect(try await ada.befriend(bens, key: key).state == .asked) }
            #expect(await eventually { atBen.events.contains { $0.name == "friendAsked" && $0.data.contains("Ada") } })
            #expect(try await ben.friends(.waiting).items.map(\.person.name) == ["Ada"])
            #expect(try await ben.befriend(adas).state == .friends)
            for listener in [atAda, atBen] {
                #expect(await eventually { listener.events.contains { $0.name == "friendshipBegan" } })
            }
            #expect(try await ada.friends().items.map(\.person.id) == [bens])
            #expect(!atAda.events.contains { $0.name == "friendAsked" })

            let refused = await Result { try await ada.unfriend(bens, where: .asked) }
            #expect(refused.refusal == .wrongState)
            try await ben.unfriend(adas, where: .friends)
            #expect(try await ada.friend(bens).state == .none)
            #expect(try await ada.friends().items.isEmpty)
            #expect(!atEve.events.contains { $0.name.hasPrefix("friend") })
            #expect(!atAda.events.contains { $0.name == "friendshipEnded" })
        }

        @Test func whom_two_people_both_know_is_seen_by_them_alone() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let (adas, bens) = (try await ada.me().id, try await ben.me().id)
            let eves = try await eve.me().id
            for (client, id) in [(ada, adas), (ben, bens)] {
                _ = try await eve.befriend(id)
                _ = try await client.befriend(eves)
            }
            let mutual = try await ada.mutualFriends(with: bens)
            #expect(mutual.items.map(\.name) == ["Eve"] && mutual.count == 1 && mutual.next == nil)
            #expect(try await eve.mutualFriends(with: bens).count == 0)
            let stranger = KampongClient(baseURL: try await Community.address)
            #expect(await Result { try await stranger.mutualFriends(with: bens) }.refusal == .unauthenticated)
            #expect(await Result { try await stranger.friends() }.refusal == .unauthenticated)
        }
    }
}
