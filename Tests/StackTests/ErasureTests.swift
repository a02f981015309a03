import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Erasing oneself, through every service.
    @Suite(.serialized) struct ErasureTests {
        private static let password = "soon forgotten"

        private struct Leaver {
            let client: KampongClient
            let id: PersonID
            let email: String

            init(retry: RetryPolicy = .standard) async throws {
                email = Community.someEmail()
                client = KampongClient(baseURL: try await Community.address, retry: retry)
                id = try await client.signUp(SignUp(email: email, password: password, name: "Adaeze Obi")).id
            }
        }

        @Test func somebody_goes_from_every_service_and_a_receipt_says_so() async throws {
            let ada = try await Leaver()
            try await Mailbox.show(ada.email, of: ada.client)
            let (ben, place) = (try await Community.newcomer("Ben"), Community.someWhere())
            let picture = try await ada.client.uploadPhoto(Picture.jpeg, contentType: "image/jpeg")
            var draft = Community.draft("Ada's", at: place)
            draft.photo = picture.id
            let free = try await ada.client.postSpot(draft).id
            let taken = try await ada.client.postSpot(draft).id
            _ = try await ben.claim(taken)
            let bens = try await ben.postSpot(Community.draft("Ben's", at: place)).id
            _ = try await ada.client.claim(bens)
            let atBen = Listener(ben, in: Community.box(around: place))
            try await atBen.connect()

            #expect(await Result { try await ada.client.eraseMe(password: "a guess") }.refusal == .invalid)
            let erasure = try await ada.client.eraseMe(password: Self.password)

            #expect(await eventually { atBen.spots(named: "spotRemoved").contains(free) })
            #expect(await eventually { atBen.spots(named: "spotAdded").contains(bens) })
            #expect(await eventually { await Result { try await ada.client.me() }.refusal == .unauthenticated })
            #expect(await Result { try await ben.person(ada.id) }.refusal == .notFound)
            #expect(await Result { try await ben.spot(free) }.refusal == .notFound)
            let kept = try await ben.spot(taken)
            #expect(kept.claim?.mine == true && kept.postedBy.name == "Someone" && kept.photo == nil)
            let stranger = KampongClient(baseURL: try await Community.address)
            let parts = { try await stranger.erasure(erasure.id).parts }
            let left = { try await parts().filter { $0.doneAt == nil }.map(\.service) }
            // The pictures, which are the gateway's part, follow below.
            #expect(try await eventually { try await Set(left()).isSubset(of: ["gateway"]) })
            let others: Set = ["chat", "listings", "matching", "notification", "rides"]
            #expect(try await Set(parts().map(\.service)).isSuperset(of: others))
            let atListings = try await parts().first { $0.service == "listings" }
            #expect(atListings?.records.contains(ErasedRecords(.unnamed, 1)) == true)
            let mail = try await Mailbox.onlyMail(to: ada.email)
            #expect(mail.contains(erasure.id.description))
            // The picture is let go of once it has rested, which the stack that the tests start makes short.
            if try await Community.stack.isLocal {
                #expect(try await eventually { try await stranger.erasure(erasure.id).completedAt != nil })
            }
        }

        /// Whoever is away holds it up, and does its part when it is back.
        @Test(.onlyOnOwnStack) func a_service_that_is_away_holds_it_up_and_loses_nothing() async throws {
            let stack = try await Community.stack
            let ada = try await Leaver(retry: .never)
            let spot = try await ada.client.postSpot(Community.draft()).id
            let stranger = KampongClient(baseURL: try await Community.address)
            // Who has what in hand can't be asked: nobody goes.
            try await stack.kill(.listings)
            // The gateway has asked auth a second time by then, and does not know what became of the first.
            let refusal = await Result { try await ada.client.eraseMe(password: Self.password) }.refusal
            #expect(refusal == .unavailable || refusal == .outcomeUnknown)
            _ = try await ada.client.me()
            try await stack.start(.listings)
            try await stack.kill(.chat)
            var erased: Erasure?
            #expect(
                await eventually {
                    erased = try? await ada.client.eraseMe(password: Self.password)
                    return erased != nil
                })
            let erasure = try #require(erased)
            #expect(erasure.parts.filter { $0.doneAt == nil }.map(\.service).contains("chat"))
            try await stack.start(.chat)
            #expect(try await eventually { try await stranger.erasure(erasure.id).completedAt != nil })
            #expect(await Result { try await stranger.spot(spot) }.refusal == .notFound)
        }
    }
}
