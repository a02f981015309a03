import FoundationEssentials
import Testing
import WireProtocol

@testable import GatewayService

/// What people are told of what they look for, as the inbox shows it.
@Suite struct PageFoundNoticeTests {
    private func give(_ notices: [InboxNotice], at door: PageDoor) {
        let count = InboxCount(unread: notices.count, unseen: notices.count)
        for method in [NotificationMethods.markRead, NotificationMethods.markSeen] {
            door.services.answer(method, count)
        }
        door.services.answer(NotificationMethods.inboxCount, count)
        door.services.answer(NotificationMethods.inbox, Page(items: notices))
    }

    @Test func what_was_found_leads_there_with_what_its_address_says() async throws {
        try await PageDoor.run { door in
            let maya = try await door.join("Maya")
            let ben = PersonSummary(id: .new(), name: "Ben")
            let (spot, car, wanted, ana) = (SpotID.new(), ThingID.new(), WantedID.new(), AvailabilityID.new())
            let links = [
                "/spots/\(spot)?found=yes", "/things/\(car)?found=yes", "/wanted/\(wanted)", "/deliverers/\(ana)",
            ]
            let free = InboxNotice(
                id: .new(), kind: .spotFound, subject: Subject(spot), actor: ben, title: "By the <mill>",
                link: links[0], at: Date())
            let rented = InboxNotice(
                id: .new(), kind: .thingFound, subject: Subject(car), actor: ben, title: "Blue van", variant: "car",
                link: links[1], at: Date())
            let more = InboxNotice(
                id: .new(), kind: .wantedDue, subject: Subject(wanted), actor: nil, variant: "digest",
                values: NoticeValues(number: 14), link: links[2], at: Date())
            let bringing = InboxNotice(
                id: .new(), kind: .delivererFound, subject: Subject(ana), actor: ben, title: "Unicafe",
                link: links[3], at: Date())
            give([free, rented, more, bringing], at: door)
            let list = try await maya.get("/notifications").text
            #expect(list.contains("A spot that you look for is free: “By the &lt;mill&gt;”."))
            #expect(list.contains("A car that you look for can be rented: “Blue van”."))
            #expect(list.contains("A search of yours has found 14 more things.") && list.contains("icons.svg#search"))
            #expect(list.contains("Ben can bring you something from “Unicafe”."))
            for (notice, link) in zip([free, rented, more, bringing], links) {
                #expect(list.contains("to=\(LocalPath.encoded(link))"))
                let opened = try await maya.get(InboxNotice.way(notice.id, to: link))
                #expect(opened.status == 303 && opened["Location"] == link)
            }
            let read = try door.services.asked(NotificationMethods.markRead).map(\.content)
            #expect(read == [free, rented, more, bringing].map { InboxMark(ids: [$0.id]) })
        }
    }

    @Test func every_kind_has_a_sign_that_there_is() throws {
        let symbols = String(
            decoding: try #require(PageRenderingTests.resources.read("Assets/icons.svg")), as: UTF8.self)
        for kind in InboxNoticeKind.allCases {
            #expect(symbols.contains("<symbol id=\"\(NoticeKinds.all[kind].icon)\" "), "\(kind)")
        }
    }
}
