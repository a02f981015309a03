import Foundation
import KampongClient
import Testing
import WireProtocol

/// Where calls about standing searches go, and what they say there.
extension CallTests {
    private static let wanted = WantedID.new()

    @Test func calls_about_a_search_go_to_its_addresses() async {
        let (id, one) = (Self.wanted, "/v1/wanted/\(Self.wanted)")
        let draft = WantedDraft(query: WantedQuery(things: ThingQuery(kind: .car, q: "jazz")))
        #expect(await arrives { _ = try await $0.postWanted(draft) } == .init("POST", "/v1/wanted"))
        #expect(await arrives { _ = try await $0.estimateWanted(draft) } == .init("POST", "/v1/wanted/estimate"))
        #expect(await arrives { _ = try await $0.wanted(id) } == .init("GET", one))
        let change = WantedChange(isPaused: true)
        #expect(await arrives { _ = try await $0.changeWanted(id, change) } == .init("PATCH", one))
        #expect(await arrives { _ = try await $0.renewWanted(id) } == .init("POST", "\(one)/renew"))
        #expect(await arrives { try await $0.removeWanted(id) } == .init("DELETE", one))
    }

    @Test func searches_and_what_they_have_found_are_asked_for_as_the_interface_has_it() async {
        let (id, spot) = (Self.wanted, SpotID.new())
        #expect(await arrives { _ = try await $0.allWanted() } == .init("GET", "/v1/wanted"))
        #expect(
            await arrives { _ = try await $0.allWanted(.init(limit: 5, cursor: "c")) }
                == .init("GET", "/v1/wanted", "limit=5&cursor=c"))
        #expect(
            await arrives { _ = try await $0.wantedFinds(.init(id: id, limit: 6, cursor: "d")) }
                == .init("GET", "/v1/wanted/\(id)/finds", "limit=6&cursor=d"))
        #expect(
            await arrives { _ = try await $0.wantedFinders(of: Subject(spot)) }
                == .init("GET", "/v1/wanted/finders", "kind=spot&id=\(spot)"))
    }
}
