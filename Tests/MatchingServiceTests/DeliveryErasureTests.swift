import DurableMessaging
import FoundationEssentials
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

/// What is left of who erases themselves, and what they are given of all that is kept of them.
@Suite struct DeliveryErasureTests {
    private static let receipt = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
    private static let pond = DropOffDraft(name: "By the pond", position: position(990))

    /// Tom's soup, brought to a point of his.
    private func completed(_ deliveries: Deliveries) async throws -> (order: OrderID, match: MatchID) {
        let there = try await deliveries.bringing()
        let asked = try await deliveries.requested(of: there) { $0.dropOff = Self.pond }
        try await deliveries.act(.accept, on: asked.match, by: maya)
        let picked = MatchActDraft(spent: euros(1000), receipt: Self.receipt)
        try await deliveries.act(.pickUp, on: asked.match, by: maya, picked)
        try await deliveries.act(.complete, on: asked.match, by: maya)
        try await deliveries.act(.complete, on: asked.match, by: tom)
        return asked
    }

    private func count(_ table: SQLQuery, _ deliveries: Deliveries) async throws -> Int {
        try await deliveries.database.query("SELECT count(*) AS number FROM \(table)")[0].get("number")
    }

    private func records(_ deliveries: Deliveries) async throws -> [PersonalDataErased] {
        try await deliveries.told(PersonalDataErased.self)
    }

    @Test func a_match_stays_with_the_orderer_without_a_name_or_a_picture() async throws {
        try await Deliveries.with { deliveries in
            let (order, id) = try await completed(deliveries)
            try await deliveries.erase(maya)
            let left = try await deliveries.seen(id, by: tom)
            #expect(left.deliverer.id == .nobody && left.receipt == nil && left.changedBy?.id == tom)
            #expect(left.items == "Soup" && left.spent == euros(1000) && left.dropOff.name == "By the pond")
            #expect(left.destination.name == "By the pond", "where they went is theirs")
            #expect(try await deliveries.seen(order).steps.allSatisfy { $0.person == nil })
            let said = try #require(try await records(deliveries).first)
            #expect(said.records == [ErasedRecords(.availabilities, 1), ErasedRecords(.matches, 1)])
            #expect(said.photos == [Self.receipt])
            #expect(try await count("credits", deliveries) == 0)
            #expect(await refusalCode { try await deliveries.bringing() } == .unauthenticated)
        }
    }

    @Test func a_match_stays_with_the_deliverer_without_a_name_a_word_or_a_point() async throws {
        try await Deliveries.with { deliveries in
            let (order, id) = try await completed(deliveries)
            try await deliveries.erase(tom)
            let left = try await deliveries.seen(id, by: maya)
            #expect(left.orderer.id == .nobody && left.items.isEmpty && left.door == nil && left.receipt != nil)
            #expect(left.dropOff == exactum.shown && left.restaurant == unicafe.shown)
            let kept = try #require(try await deliveries.store.order(order))
            #expect(kept.orderer == .nobody && kept.door == nil && kept.from.map(\.items) == [""])
            #expect(kept.dropOff.name == "Unicafe" && kept.dropOff.position == unicafe.position)
            let said = try #require(try await records(deliveries).first)
            #expect(said.records == [ErasedRecords(.orders, 1), ErasedRecords(.matches, 1)] && said.photos.isEmpty)
        }
    }

    @Test func of_two_who_are_both_gone_nothing_is_kept() async throws {
        try await Deliveries.with { deliveries in
            _ = try await completed(deliveries)
            try await deliveries.erase(maya)
            try await deliveries.erase(tom)
            for table: SQLQuery in ["availabilities", "orders", "matches"] {
                #expect(try await count(table, deliveries) == 0)
            }
            let last = try #require(try await records(deliveries).last)
            #expect(last.records == [ErasedRecords(.orders, 1), ErasedRecords(.matches, 1)])
        }
    }

    @Test func what_is_offered_and_ordered_goes_with_them() async throws {
        try await Deliveries.with { deliveries in
            let there = try await deliveries.bringing { $0.capacity = 2 }
            let asked = try await deliveries.requested(of: there) { $0.rollsOn = true }
            try await deliveries.ordering(by: maya) {
                $0.from = [OrderedFromDraft(restaurant: chemicum.id, items: "Tea")]
            }
            try await deliveries.erase(maya)
            #expect(try await deliveries.store.match(asked.match)?.state == .withdrawn)
            #expect(try await deliveries.store.order(asked.order)?.state == .waiting)
            #expect(try await count("orders", deliveries) == 1)
            #expect(try await count("availabilities WHERE person = \(maya)", deliveries) == 0)
            // Somebody else who was asked for the same order may go as well.
            deliveries.clock.advance(by: .seconds(1))
            let kims = try await deliveries.bringing(by: kim)
            try await deliveries.decide()
            let offer = try #require(try await deliveries.asked(kim))
            try await deliveries.act(.decline, on: offer, by: kim)
            try await deliveries.erase(kim)
            #expect(try await deliveries.store.availability(kims.id)?.deliverer == .nobody)
            #expect(try await deliveries.seen(asked.order).steps.map(\.what) == [.asked, .gone, .asked, .declined])
        }
    }

    @Test func words_of_a_dispute_go_with_who_said_them() async throws {
        try await Deliveries.with { deliveries in
            let id = try await deliveries.pickedUp()
            try await deliveries.act(.dispute, on: id, by: tom, MatchActDraft(reason: "It is cold."))
            try await deliveries.act(.explain, on: id, by: maya, MatchActDraft(reason: "It was hot."))
            let settled = MatchActReference(id: id, act: .settle)
            _ = try await deliveries.useCases.actOnMatch(
                settled, MatchActDraft(reason: "Half.", share: 50), .from(lin, roles: [.moderator]))
            try await deliveries.erase(tom)
            #expect(try await deliveries.seen(id, by: maya).statements.map(\.text) == ["It was hot."])
            try await deliveries.erase(lin)
            let left = try await deliveries.seen(id, by: maya)
            #expect(left.state == .settled && left.changedBy == nil && left.reason == nil && left.owed == euros(600))
        }
    }

    @Test func an_archive_has_all_that_is_kept_of_somebody() async throws {
        try await Deliveries.with { deliveries in
            let (order, id) = try await completed(deliveries)
            func records(of person: PersonID) async throws -> [PersonalRecord] {
                var found: [PersonalRecord] = []
                let own = PersonalSections(deliveries.useCases.ownRecords)
                var query: PersonalDataQuery? = PersonalDataQuery(person: person)
                while let asked = query {
                    let page = try await own.page(asked)
                    found += page.items
                    query = page.next.map { PersonalDataQuery(person: person, cursor: $0) }
                }
                return found
            }
            let mayas = try await records(of: maya)
            #expect(mayas.map(\.kind) == ["availabilities", "matches"])
            #expect(mayas.flatMap(\.photos) == [Self.receipt])
            #expect(!mayas.contains { $0.json.contains("Room 4") }, "the door was told, and is not theirs")
            let toms = try await records(of: tom)
            #expect(toms.map(\.kind) == ["orders", "matches"] && toms.flatMap(\.photos).isEmpty)
            #expect(toms[0].json.contains("Room 4") && toms[0].json.contains(order.description))
            #expect(toms[1].json.contains(id.description))
            try await deliveries.ordering(by: kim)
            try await deliveries.bringing(by: lin)
            try await deliveries.bringing(by: maya)
            try await deliveries.decide()
            let turns = try await (records(of: lin) + records(of: maya)).filter { $0.kind == "turns" }
            #expect(turns.count == 2, "two could have been asked")
        }
    }

    @Test func pages_of_an_archive_follow_one_another() async throws {
        try await Deliveries.with { deliveries in
            for _ in 0...PageSize.largest {
                try await deliveries.bringing()
                try await deliveries.useCases.endDelivery(.from(maya))
                deliveries.clock.advance(by: .milliseconds(1))
            }
            let own = PersonalSections(deliveries.useCases.ownRecords)
            let first = try await own.page(PersonalDataQuery(person: maya))
            #expect(first.items.count == PageSize.largest)
            let next = try #require(first.next)
            let second = try await own.page(PersonalDataQuery(person: maya, cursor: next))
            #expect(second.items.count == 1 && second.items[0].kind == "availabilities")
        }
    }
}
