import Foundation
import KampongClient
import Testing
import WireProtocol

extension StackTests {
    /// From a claimed spot to two reviews, through every service and the live stream.
    @Suite(.serialized, .onProcesses) struct ReviewTests {
        @Test func who_parked_where_somebody_had_room_and_that_one_review_each_other() async throws {
            let (ada, ben, eve) = (
                try await Community.newcomer("Ada"), try await Community.newcomer("Ben"),
                try await Community.newcomer("Eve")
            )
            let (adas, bens) = (try await ada.me().id, try await ben.me().id)
            let spot = try await ada.postSpot(Community.draft())
            _ = try await ben.claim(spot.id)
            let subject = Subject(kind: .spot, id: ID(spot.id.uuid))
            func draft(_ rating: Int) -> ReviewDraft {
                ReviewDraft(subject: subject, rating: rating, text: "\(rating) of five")
            }
            #expect(await Result { try await ben.writeReview(draft(5), about: adas) }.refusal == .forbidden)
            #expect(try await ben.observe(spot.id, .there).claim?.parkedAt != nil)
            #expect(try await eventually { try await ben.encounters(with: adas).items.map(\.subject) == [subject] })
            #expect(try await ada.encounters().items.map(\.with.id) == [bens])
            #expect(await Result { try await eve.writeReview(draft(1), about: adas) }.refusal == .forbidden)

            let (atAda, atEve) = (Listener(ada), Listener(eve))
            for listener in [atAda, atEve] { try await listener.connect() }
            let key = UUID().uuidString
            let written = try await ben.writeReview(draft(4), about: adas, key: key)
            #expect(try await ben.writeReview(draft(4), about: adas, key: key) == written)
            #expect(await Result { try await ben.writeReview(draft(1), about: adas) }.refusal == .wrongState)
            #expect(
                await eventually { atAda.events.contains { $0.name == "reviewWritten" && $0.data.contains("Ben") } })
            #expect(!atAda.events.contains { $0.data.contains("4 of five") })
            #expect(await Result { try await ada.review(written.id) }.refusal == .notFound)
            #expect(try await eve.reviews(of: adas).items.isEmpty)

            _ = try await ada.writeReview(draft(5), about: bens)
            #expect(await eventually { atAda.events.contains { $0.name == "reviewPublished" } })
            let stranger = KampongClient(baseURL: try await Community.address)
            #expect(try await stranger.reviews(of: adas).items.map(\.text) == ["4 of five"])
            #expect(try await ada.reply(to: written.id, "See you.").reply?.text == "See you.")
            #expect(await Result { try await ben.reply(to: written.id, "No.") }.refusal == .forbidden)
            #expect(!atEve.events.contains { $0.name.hasPrefix("review") })

            // The reputation is seen wherever the person is, in the other service too.
            #expect(try await eve.person(adas).reputation == Reputation(rating: 4, count: 1))
            let next = try await ada.postSpot(Community.draft())
            #expect(
                try await eventually {
                    try await eve.spot(next.id).postedBy.reputation == Reputation(rating: 4, count: 1)
                })
        }
    }
}
