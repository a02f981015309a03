import Foundation
import KampongClient
import Testing
import WireProtocol

/// Where calls about things and agreements go, and what they say there.
extension CallTests {
    private static let thing = ThingID.new()
    private static let rental = RentalID.new()

    @Test(arguments: [
        (ThingKind.car, "/v1/cars"), (.space, "/v1/spaces"), (.parking, "/v1/private-parking"),
    ])
    func each_kind_has_addresses_of_its_own(kind: ThingKind, path: String) async {
        let (id, one) = (Self.thing, "\(path)/\(Self.thing)")
        let period = PeriodDraft(from: "2026-12-01", until: "2026-12-04")
        #expect(await arrives { _ = try await $0.things(ThingQuery(kind: kind)) } == .init("GET", path))
        #expect(await arrives { _ = try await $0.thing(id, kind) } == .init("GET", one))
        #expect(await arrives { _ = try await $0.postThing(ThingDraft(), as: kind) } == .init("POST", path))
        #expect(await arrives { _ = try await $0.changeThing(id, kind, to: ThingDraft()) } == .init("PUT", one))
        #expect(await arrives { _ = try await $0.amendThing(id, kind, with: ThingDraft()) } == .init("PATCH", one))
        #expect(await arrives { _ = try await $0.publishThing(id, kind) } == .init("POST", "\(one)/publish"))
        #expect(await arrives { try await $0.withdrawThing(id, kind) } == .init("DELETE", one))
        #expect(
            await arrives { _ = try await $0.calendar(of: id, kind, from: "2026-12-01") }
                == .init("GET", "\(one)/calendar", "from=2026-12-01"))
        #expect(
            await arrives { _ = try await $0.quote(for: id, kind, from: "2026-12-01", until: "2026-12-04") }
                == .init("GET", "\(one)/quote", "from=2026-12-01&until=2026-12-04"))
        #expect(
            await arrives { _ = try await $0.blockDates(of: id, kind, period) } == .init("POST", "\(one)/date-blocks"))
        let draft = RentalDraft(from: period.from, until: period.until)
        #expect(await arrives { _ = try await $0.rent(id, kind, draft) } == .init("POST", "\(one)/rentals"))
    }

    @Test func what_is_looked_for_is_said_as_the_interface_has_it() async {
        let by = PersonID.new()
        let query = ThingQuery(
            kind: .car, q: "jazz", region: "Central", brand: "Honda", model: "Jazz", highestPrice: 9000,
            from: "2026-12-01", until: "2026-12-04", sort: .highestPrice,
            near: Position(latitude: 1.5, longitude: 103.5), by: by, mine: false, limit: 5, cursor: "c")
        #expect(
            await arrives { _ = try await $0.things(query) }
                == .init(
                    "GET", "/v1/cars",
                    "q=jazz&region=Central&brand=Honda&model=Jazz&highestPrice=9000&from=2026-12-01&until=2026-12-04"
                        + "&sort=-price&near=1.5,103.5&by=\(by)&mine=false&limit=5&cursor=c"))
        #expect(
            await arrives { _ = try await $0.things(ThingQuery(mine: true)) }
                == .init("GET", "/v1/things", "mine=true"))
        #expect(await arrives { _ = try await $0.carModels() } == .init("GET", "/v1/car-models"))
        let rentals = RentalQuery(role: .owner, state: .handedOver, thing: Self.thing, disputed: true, limit: 2)
        #expect(
            await arrives { _ = try await $0.rentals(rentals) }
                == .init(
                    "GET", "/v1/rentals",
                    "role=owner&state=handedOver&thing=\(Self.thing)&disputed=true&limit=2"))
    }

    @Test func acts_go_to_their_addresses() async {
        let id = Self.rental
        for act in RentalAct.allCases {
            let arrived = await arrives { _ = try await $0.act(act, on: id) }
            #expect(arrived == .init("POST", "/v1/rentals/\(id)/\(act.path)"))
        }
        #expect(await arrives { _ = try await $0.rental(id) } == .init("GET", "/v1/rentals/\(id)"))
        #expect(await arrives { _ = try await $0.rentalContact(id) } == .init("GET", "/v1/rentals/\(id)/contact"))
        let block = DateBlockID.new()
        #expect(await arrives { try await $0.unblockDates(block) } == .init("DELETE", "/v1/date-blocks/\(block)"))
    }
}
