import DurableMessaging
import FoundationEssentials
import MatchEngine
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

@Suite("What a round looks at", .serialized)
struct MatchLooksTests {
    @Test func two_who_are_together_again_are_matched() async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.part(maya, tom)
            try await deliveries.bringing()
            try await deliveries.ordering()
            try await deliveries.decide()
            #expect(try await deliveries.openOffers() == 0)
            try await deliveries.hear(PeopleUnblocked(pair: BlockedPair(maya, tom)))
            try await deliveries.decide()
            #expect(try await deliveries.asked(maya) != nil)
        }
    }

    @Test func who_has_moved_is_asked_for_what_waited_there() async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.ordering { $0.from = [OrderedFromDraft(restaurant: chemicum.id, items: "Soup")] }
            try await deliveries.bringing()
            try await deliveries.decide()
            #expect(try await deliveries.asked(maya) == nil)
            try await deliveries.bringing { $0.restaurant = chemicum.id }
            try await deliveries.decide()
            #expect(try await deliveries.asked(maya) != nil)
        }
    }

    /// More are there than are looked at first: the last who came goes by the most nearly.
    @Test func of_many_the_nearest_is_asked() async throws {
        try await Deliveries.with { deliveries in
            for person in crowd(MatchCandidates.usual + 5) {
                try await deliveries.bringing(by: person) {
                    $0.dropOff = DropOffDraft(name: "Beside it", position: position(1000, 100))
                }
            }
            try await deliveries.bringing()
            try await deliveries.ordering { $0.dropOff = DropOffDraft(place: exactum.id) }
            try await deliveries.decide()
            #expect(try await deliveries.asked(maya) != nil)
        }
    }

    @Test func of_many_who_go_there_it_is_the_turn_of_whoever_has_the_most_credit() async throws {
        try await Deliveries.with { deliveries in
            for person in crowd(MatchCandidates.usual + 5) { try await deliveries.bringing(by: person) }
            try await deliveries.bringing()
            _ = try await deliveries.database.query(
                "INSERT INTO credits (person, credit, as_of) VALUES (\(maya), 2, \(noon))")
            try await deliveries.ordering()
            try await deliveries.decide()
            #expect(try await deliveries.asked(maya) != nil)
        }
    }

    /// All who seem the nearest have a river before them: whoever comes after them is found.
    @Test func where_streets_are_longer_than_they_seem_more_are_looked_at() async throws {
        try await Deliveries.with { deliveries in
            for person in crowd(MatchCandidates.usual + 5) {
                try await deliveries.bringing(by: person) { $0.dropOff = DropOffDraft(place: physicum.id) }
            }
            try await deliveries.bringing {
                $0.dropOff = DropOffDraft(place: chemicum.id)
                $0.detour = 500
            }
            let shed = DeliveryPlace(name: "Shed", position: position(200))
            try await deliveries.ordering { $0.dropOff = DropOffDraft(name: shed.name, position: shed.position) }
            try await deliveries.learn(shed, physicum.shown, metres: 9000)
            try await deliveries.learn(shed, chemicum.shown, metres: 200)
            try await deliveries.decide()
            #expect(try await deliveries.asked(maya) != nil)
            #expect(try await deliveries.marks() == 0)
        }
    }

    /// Hundreds wait for more than anybody gives, and each is looked at once.
    @Test(.timeLimit(.minutes(5))) func of_many_who_wait_none_is_left_out() async throws {
        try await Deliveries.with { deliveries in
            let first = try await deliveries.ordering()
            try await deliveries.repeatOrder(first.id, 1200)
            try await deliveries.ordering(by: kim) { $0.fee = euros(400) }
            try await deliveries.decide()
            #expect(try await deliveries.marks() == 0)
            try await deliveries.bringing { $0.leastFee = euros(300) }
            try await deliveries.decide()
            let asked = try #require(try await deliveries.asked(maya))
            #expect(try await deliveries.seen(asked, by: maya).orderer.id == kim)
            #expect(try await deliveries.openOffers() == 1)
            #expect(try await deliveries.marks() == 0)
        }
    }

    @Test func those_restaurants_alone_are_told_of_where_something_changed() async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.bringing()
            try await deliveries.bringing(by: lin) { $0.restaurant = chemicum.id }
            try await deliveries.decide()
            #expect(try await deliveries.told(RestaurantsChanged.self).count == 2)
            try await deliveries.bringing(by: kim)
            try await deliveries.decide()
            #expect(try await deliveries.told(RestaurantsChanged.self).count == 2)
            try await deliveries.bringing(by: lin)
            try await deliveries.decide()
            let told = try await deliveries.told(RestaurantsChanged.self).dropFirst(2)
            #expect(told.map(\.restaurant.name) == ["Chemicum"] && told.first?.deliverers == 0)
        }
    }
}

// MARK: What was there before

extension MatchLooksTests {
    /// Orders that waited when rounds looked at whole areas: of one restaurant, and of a circle whose middle has the smallest number that there is.
    @Test func what_waits_is_found_after_the_tables_became_others() async throws {
        let old = Array(MatchingSchema.migrations.prefix { $0.number < 8 })
        try await Deliveries.with(migrations: old) { deliveries in
            let area = DeliveryArea.of(unicafe.position)
            let circle = #"{"position": {"latitude": 1, "longitude": 4.9e-324}, "radius": 400, "items": "Soup"}"#
            let rows: [(String?, [PlaceID], String)] = [
                (nil, [unicafe.id], "waiting"), (circle, [], "waiting"), (circle, [], "completed"),
            ]
            for (around, restaurants, end) in rows {
                _ = try await deliveries.database.query(
                    """
                    INSERT INTO orders (id, orderer, placed_at, state, wanted, around, drop_place, drop_name, drop_latitude, drop_longitude, paid_by,
                        is_prepaid, spend_limit, currency, rolls_on, waits_until, changed_at, areas, restaurants, due_at)
                    VALUES (gen_random_uuid(), \(tom), \(noon), \(end), \(JSON([OrderedFrom(restaurant: unicafe.shown, items: "Soup")])), \(around)::text::jsonb,
                        \(exactum.id), 'Exactum', \(exactum.position.latitude), \(exactum.position.longitude), 'cash', false, 1200, 'EUR', false,
                        \(after(minutes: 60)), \(noon), \([area]), \(restaurants), \(end == "waiting" ? after(minutes: 60) : nil))
                    """)
            }
            try await deliveries.database.migrate(MatchingSchema.migrations)
            let circles = try await deliveries.database.query(
                "SELECT count(*) AS circles FROM orders WHERE middle IS NOT NULL AND radius = 400")
            #expect(try circles[0].get("circles") == 1)
            try await deliveries.bringing()
            try await deliveries.decide()
            #expect(try await deliveries.asked(maya) != nil)
            #expect(try await deliveries.marks() == 0)
        }
    }
}

// MARK: Between reading and locking

extension MatchLooksTests {
    enum Meanwhile: CaseIterable { case nothing, apart, suspended, changed, cancelled }

    /// Nothing is locked while a round decides: what happens then is seen before an offer is made.
    @Test(arguments: Meanwhile.allCases) func an_offer_is_about_what_is_so_still(meanwhile: Meanwhile) async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.bringing()
            let order = try await deliveries.ordering().id
            let kept = try await deliveries.store.transaction { round in
                let marks = DeliveryMarks(area: DeliveryArea.of(unicafe.position), orders: [order])
                let waiting = try await round.waiting(of: marks, logger: .quiet)
                let candidates = try await round.candidates(for: [order], atMost: MatchCandidates.usual)
                let scene = try await round.scene(waiting, Set(candidates.values.joined()), logger: .quiet)
                let offers = scene.round.decided(at: noon).offers
                #expect(offers.count == 1)
                switch meanwhile {
                case .nothing: break
                case .apart: try await deliveries.part(maya, tom)
                case .suspended:
                    _ = try await deliveries.database.query(
                        "INSERT INTO suspensions (person, until, generation) VALUES (\(maya), 'infinity', 1)")
                case .changed: try await deliveries.bringing { $0.leastFee = euros(500) }
                case .cancelled: try await deliveries.useCases.cancelOrder(order, .from(tom))
                }
                let (kept, missed) = try await round.locked(offers, of: scene)
                #expect(kept.count + missed.count == 1)
                return kept.count
            }
            #expect(kept == (meanwhile == .nothing ? 1 : 0))
        }
    }
}

extension Deliveries {
    /// As Places has said it.
    fileprivate func learn(_ one: DeliveryPlace, _ other: DeliveryPlace, metres: Int) async throws {
        let ids = [one.stop.id, other.stop.id].sorted()
        _ = try await database.query(
            """
            INSERT INTO hops (one, other, one_latitude, one_longitude, other_latitude, other_longitude, area, metres, along_streets, asked_at)
            VALUES (\(ids[0]), \(ids[1]), 0, 0, 0, 0, 0, \(metres), true, \(noon))
            """)
    }

    /// Others want the same.
    fileprivate func repeatOrder(_ id: OrderID, _ count: Int) async throws {
        let columns: SQLQuery = """
            placed_at, state, wanted, around, drop_place, drop_name, drop_address, drop_latitude, drop_longitude, fee, spend_limit, \
            currency, paid_by, is_prepaid, rolls_on, waits_until, changed_at, areas, restaurants, due_at
            """
        _ = try await database.query(
            """
            INSERT INTO orders (id, orderer, \(columns))
            SELECT gen_random_uuid(), gen_random_uuid(), \(columns) FROM orders, generate_series(1, \(count)) WHERE id = \(id)
            """)
    }
}
