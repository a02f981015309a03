import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// What people are told, through every service and the live stream.
    @Suite(.serialized) struct NotificationTests {
        private func kinds(_ client: KampongClient) async throws -> [InboxNoticeKind] {
            try await client.notifications().items.map(\.kind)
        }

        private func unread(_ client: KampongClient) async throws -> Int {
            try await client.unreadNotifications().unread
        }

        @Test func what_happens_to_somebody_is_in_their_inbox_and_on_their_stream() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let (adas, bens) = (try await ada.me().id, try await ben.me().id)
            let (atAda, atBen) = (Listener(ada), Listener(ben))
            for listener in [atAda, atBen] { try await listener.connect() }
            let spot = try await ada.postSpot(Community.draft("By the library"))
            _ = try await ben.claim(spot.id)
            #expect(await eventually { atAda.events.contains { $0.name == "notification" } })
            let told = try await ada.notifications().items
            let first = try #require(told.first)
            #expect(told.count == 1 && first.kind == .spotClaimed && first.actor?.id == bens)
            #expect(first.title == "By the library" && first.link == "/spots/\(spot.id)" && first.readAt == nil)
            #expect(!atBen.events.contains { $0.name == "notification" })

            _ = try await ben.befriend(adas)
            #expect(try await eventually { try await kinds(ada) == [.friendAsked, .spotClaimed] })
            _ = try await ada.befriend(bens)
            #expect(try await eventually { try await kinds(ben) == [.friendAccepted] })
            // She answered him: that is read.
            #expect(try await eventually { try await unread(ada) == 1 })

            let left = try await ada.markNotificationsRead(InboxMark(upTo: first.id))
            #expect(left == InboxCount(unread: 0, unseen: 0))
            #expect(await eventually { atAda.events.contains { $0.name == "notificationsRead" } })

            _ = try await ada.block(bens)
            #expect(try await eventually { try await kinds(ada).isEmpty })
            let stranger = KampongClient(baseURL: try await Community.address)
            #expect(await Result { try await stranger.notifications() }.refusal == .unauthenticated)
        }

        @Test func messages_are_one_notification_until_the_room_is_read() async throws {
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let spot = try await ada.postSpot(Community.draft())
            let subject = Subject(kind: .spot, id: ID(spot.id.uuid))
            let room = try await ben.openRoom(about: subject, with: spot.postedBy.id).id
            for text in ["Is it free?", "Hello?"] {
                _ = try await ben.send(MessageDraft(id: .new(), text: text), to: room)
            }
            #expect(try await eventually { try await ada.notifications().items.map(\.count) == [2] })
            #expect(try await unread(ben) == 0)
            try await ada.markRead(room, upTo: 2)
            #expect(try await eventually { try await unread(ada) == 0 })
            // Read at once, as who has the room open does: nobody is told. Of what Eve writes after it he is, and by then would be of this.
            let answer = try await ada.send(MessageDraft(id: .new(), text: "Yes."), to: room)
            try await ben.markRead(room, upTo: answer.number)
            let (eve, bens) = (try await Community.newcomer("Eve"), try await ben.me().id)
            let hers = try await eve.openRoom(about: Subject(kind: .person, id: ID(bens.uuid)), with: bens).id
            _ = try await eve.send(MessageDraft(id: .new(), text: "Hello"), to: hers)
            #expect(try await eventually { try await unread(ben) > 0 })
            #expect(try await ben.notifications().items.map(\.link) == ["/messages/\(hers)"])
        }

        @Test(.onlyOnOwnStack) func what_happened_while_notification_was_dead_is_told_once() async throws {
            let stack = try await Community.stack
            let (ada, ben) = (try await Community.newcomer("Ada"), try await Community.newcomer("Ben"))
            let adas = try await ada.me().id
            try await stack.kill(.notification)
            _ = try await ben.befriend(adas)
            let spot = try await ada.postSpot(Community.draft())
            _ = try await ben.claim(spot.id)
            try await stack.start(.notification)
            let both: Set<InboxNoticeKind> = [.friendAsked, .spotClaimed]
            #expect(
                await eventually {
                    guard let now = try? await kinds(ada) else { return false }
                    return Set(now) == both
                })
            #expect(try await kinds(ada).count == 2)
        }

        @Test(.onProcesses) func who_goes_takes_their_notifications_along() async throws {
            let (ada, email) = (KampongClient(baseURL: try await Community.address), Community.someEmail())
            let adas = try await ada.signUp(SignUp(email: email, password: "eight or more", name: "Ada")).id
            let ben = try await Community.newcomer("Ben")
            let bens = try await ben.me().id
            _ = try await ben.befriend(adas)
            _ = try await ada.befriend(bens)
            #expect(try await eventually { try await kinds(ben) == [.friendAccepted] })
            let erasure = try await ada.eraseMe(password: "eight or more")
            let part = { try await ben.erasure(erasure.id).parts.first { $0.service == "notification" } }
            #expect(try await eventually { try await part()?.doneAt != nil })
            #expect(try await part()?.records.contains(ErasedRecords(.notices, 1)) == true)
            #expect(try await kinds(ben).isEmpty)
        }
    }
}
