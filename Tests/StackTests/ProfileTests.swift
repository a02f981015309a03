import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension StackTests {
    /// Who people are, through every service.
    @Suite(.serialized, .onProcesses) struct ProfileTests {
        @Test func a_changed_profile_shows_on_everything_that_was_posted() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let place = Community.someWhere()
            let free = try await ada.postSpot(Community.draft("Free", at: place))
            let taken = try await ada.postSpot(Community.draft("Taken", at: place))
            _ = try await ben.claim(taken.id)
            let portrait = try await ada.uploadPhoto(Picture.jpeg, contentType: "image/jpeg").id
            let username = "ada_\(UUID().uuidString.prefix(8).lowercased())"
            _ = try await ada.changeProfile(
                ProfileChange(name: "Ada Lovelace", username: .set(username), photo: .set(portrait)))

            let now = PersonSummary(id: free.postedBy.id, name: "Ada Lovelace", photo: portrait)
            let watching = Listener(ben, in: Community.box(around: place))
            try await watching.connect()
            #expect(await eventually { (try? await ben.spot(free.id).postedBy) == now })
            #expect(try await ben.spots(in: Community.box(around: place)).items.map(\.postedBy) == [now])
            #expect(try await ben.spots(by: now.id).items.map(\.postedBy) == [now])
            #expect(try await ben.spots(of: .claimed).items.map(\.postedBy) == [now])
            #expect(try await ben.person(now.id).username == username)
            // What is told from now on names her as she is.
            _ = try await ada.changeSpot(free.id, to: Community.draft("Still free", at: place))
            #expect(
                await eventually {
                    watching.events.contains { $0.name == "spotChanged" && $0.data.contains("Ada Lovelace") }
                })
        }

        @Test func a_username_is_seen_to_be_taken_by_whoever_asks() async throws {
            let ada = try await Community.newcomer("Ada")
            let stranger = KampongClient(baseURL: try await Community.address)
            let username = "ada.\(UUID().uuidString.prefix(8).lowercased())"
            #expect(try await stranger.username(username).free)
            _ = try await ada.changeProfile(ProfileChange(username: .set(username)))
            let taken = try await stranger.username(username)
            #expect(!taken.free && taken.suggestions.count == 3)
            #expect(try await ada.username(username).free)
            let refused = await Result {
                try await stranger.signUp(
                    SignUp(
                        email: Community.someEmail(), password: "eight or more", name: "Eve", username: username))
            }
            #expect(refused.refusal == .usernameTaken)
        }

        @Test func a_telephone_number_reaches_nobody_but_its_owner() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let stranger = KampongClient(baseURL: try await Community.address)
            let digits = "65" + String(Int.random(in: 10_000_000...99_999_999))
            let place = Community.someWhere()
            let watching = Listener(ben)
            try await watching.connect()
            let id = try await ada.me().id
            // Refused and taken, by commands that are repeated, and told of to others.
            #expect(
                await Result { try await ada.changeProfile(ProfileChange(phone: .set(digits))) }.refusal == .invalid)
            let key = UUID().uuidString
            let change = ProfileChange(name: "Ada L.", phone: .set("+\(digits)"), bio: "A cook.")
            for _ in 0..<2 {
                #expect(try await ada.changeProfile(change, key: key).phone == "+\(digits)")
            }
            let spot = try await ada.postSpot(Community.draft("By the well", at: place))
            _ = try await ben.claim(spot.id)
            #expect(try await ada.me().phone == "+\(digits)")
            #expect(await eventually { watching.spots(named: "spotClaimed") == [spot.id] })

            for path in ["v1/people/\(id)", "v1/spots/\(spot.id)", "v1/spots?of=claimed", "people/\(id)"] {
                for reader in [ben, stranger] {
                    let answer = try await Self.raw(path, as: reader)
                    #expect(!answer.isEmpty && !answer.contains(digits), "\(path)")
                }
            }
            #expect(!watching.events.contains { $0.data.contains(digits) })
            let stack = try await Community.stack
            for service in [PeerRole.auth, .listings, .gateway] where stack.isLocal {
                let log = try stack.log(of: service)
                #expect(!log.isEmpty && !log.contains(digits), "\(service)")
            }
        }

        /// An answer's own bytes, before anything that is unknown is passed over.
        private static func raw(_ path: String, as client: KampongClient) async throws -> String {
            let base = try await Community.address
            let address = try #require(URL(string: "\(base)/\(path)"))
            var request = URLRequest(url: address)
            if let token = await client.tokens?.accessToken {
                request.setValue("Bearer \(token)", forHTTPHeaderField: "Authorization")
            }
            return String(decoding: try await URLSession.shared.data(for: request).0, as: UTF8.self)
        }
    }
}
