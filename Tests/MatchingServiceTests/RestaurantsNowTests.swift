import DurableMessaging
import FoundationEssentials
import People
import Postgres
import TestKit
import Testing
import WireProtocol

@testable import MatchingService

@Suite("Restaurants that have somebody now", .serialized)
struct RestaurantsNowTests {
    private let restaurants = [unicafe, exactum, physicum, chemicum]

    /// So many people, each at one of the restaurants; some are gone, full, or not to be seen.
    private func people(at count: Int, of deliveries: Deliveries) async throws -> [OfferedAvailability] {
        var all: [OfferedAvailability] = []
        for number in 0..<count {
            var offered = OfferedAvailability(
                id: .new(at: noon + Double(number) / 1000), deliverer: .new(), beganAt: noon,
                state: number % 11 == 0 ? .paused : .available, restaurant: restaurants[number % 4],
                dropOff: restaurants[number % 3].shown, capacity: 1 + number % 2, detour: 150,
                until: after(minutes: number % 7 == 0 ? -1 : Double(15 + number % 40)), isListed: number % 5 != 0,
                changedAt: noon)
            try await deliveries.name(offered.deliverer, "Somebody", campus: number % 2 == 0 ? "north" : nil)
            _ = try await deliveries.database.query(offered.insertion(at: noon))
            if number % 13 == 0 {
                _ = try await deliveries.database.query(
                    "UPDATE availabilities SET taken = capacity WHERE id = \(offered.id)")
                offered.taken = offered.capacity
            }
            all.append(offered)
        }
        return all
    }

    private func all(
        of deliveries: Deliveries, by person: PersonID, _ query: DeliveryRestaurantQuery
    ) async throws -> [DeliveryRestaurant] {
        var (found, query): ([DeliveryRestaurant], DeliveryRestaurantQuery) = ([], query)
        repeat {
            let page = try await deliveries.useCases.restaurants(query, for: Caller(person: person))
            found += page.items
            query.cursor = page.next
        } while query.cursor != nil
        return found
    }

    @Test(arguments: [false, true]) func they_are_those_that_a_plain_count_finds(campusesApart: Bool) async throws {
        try await Deliveries.with(campuses: CampusSeparation(isOn: campusesApart)) { deliveries in
            let there = try await people(at: 80, of: deliveries)
            try await deliveries.name(tom, "Tom", campus: "north")
            for number in [1, 2, 3] { try await deliveries.part(tom, there[number].deliverer) }
            let suspended = there[18].deliverer
            _ = try await deliveries.database.query(
                "INSERT INTO suspensions (person, until, generation) VALUES (\(suspended), 'infinity', 1)")
            let seen = there.enumerated().filter { number, offered in
                offered.isShown(at: noon) && ![1, 2, 3].contains(number) && offered.deliverer != suspended
                    && (!campusesApart || number % 2 == 0)
            }.map(\.element)
            let expected = restaurants.compactMap { place -> DeliveryRestaurant? in
                let here = seen.filter { $0.restaurant.id == place.id }
                guard let last = here.map(\.until).max() else { return nil }
                return DeliveryRestaurant(
                    restaurant: place.shown, deliverers: here.count,
                    dropOffs: Array(Set(here.map(\.dropOff.name)).sorted().prefix(3)), until: last)
            }
            let query = DeliveryRestaurantQuery(limit: 1)
            let byName = try await all(of: deliveries, by: tom, query)
            #expect(byName == expected.sorted { $0.restaurant.name < $1.restaurant.name })
            let near = DeliveryRestaurantQuery(near: position(1040), limit: 1)
            let byDistance = try await all(of: deliveries, by: tom, near)
            #expect(byDistance.map(\.restaurant).sorted { $0.name < $1.name } == byName.map(\.restaurant))
            #expect(byDistance.map { $0.distance ?? -1 } == byDistance.map { $0.distance ?? -1 }.sorted())
            #expect(byDistance.map(\.deliverers).reduce(0, +) == seen.count)
            for place in restaurants {
                let here = try await deliverers(at: place.id, of: deliveries, to: position(1040))
                #expect(Set(here.map(\.id)) == Set(seen.filter { $0.restaurant.id == place.id }.map(\.id)))
                #expect(here.map { $0.distance ?? -1 } == here.map { $0.distance ?? -1 }.sorted())
                let same = try await deliverers(at: place.id, of: deliveries, to: nil)
                #expect(same.map(\.id) == same.map(\.id).sorted() && same.count == here.count)
            }
        }
    }

    private func deliverers(
        at place: PlaceID, of deliveries: Deliveries, to: Position?
    ) async throws -> [Deliverer] {
        var (found, query) = ([Deliverer](), DelivererQuery(restaurant: place, to: to, limit: 3))
        repeat {
            let page = try await deliveries.useCases.deliverers(query, for: Caller(person: tom))
            found += page.items
            query.cursor = page.next
        } while query.cursor != nil
        return found
    }

    @Test func neither_distances_nor_cursors_tell_where_in_its_field_a_point_lies() async throws {
        try await Deliveries.with { deliveries in
            for (person, east) in zip(crowd(5), [100.0, 150, 200, 250, 300]) {
                let home = DropOffDraft(name: "Home", position: position(east, 100))
                try await deliveries.bringing(by: person) { $0.dropOff = home }
            }
            let (here, field) = (position(700), position(100, 100).onGrid)
            let found = try await deliverers(at: unicafe.id, of: deliveries, to: here)
            #expect(found.count == 5 && found.map(\.id) == found.map(\.id).sorted())
            #expect(found.allSatisfy { $0.dropOff.position == field })
            let metres = here.metres(to: field)
            #expect(found.allSatisfy { $0.distance == Int(metres.rounded()) })
            let query = DelivererQuery(restaurant: unicafe.id, to: here, limit: 1)
            let page = try await deliveries.useCases.deliverers(query, for: Caller(person: tom))
            let chord = try #require(page.next.flatMap { DelivererCursor($0)?.chord })
            #expect(abs(chord - metres) < 5)
        }
    }

    @Test func nobody_sees_themselves_and_nobody_is_seen_whose_hands_are_full() async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.bringing()
            #expect(try await all(of: deliveries, by: maya, DeliveryRestaurantQuery()).isEmpty)
            #expect(try await all(of: deliveries, by: tom, DeliveryRestaurantQuery()).map(\.deliverers) == [1])
            try await deliveries.ordering()
            try await deliveries.decide()
            #expect(try await all(of: deliveries, by: tom, DeliveryRestaurantQuery()).isEmpty)
        }
    }

    @Test func the_first_and_the_last_with_a_free_hand_are_told_once() async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.bringing()
            try await deliveries.decide()
            try await deliveries.bringing(by: lin)
            try await deliveries.decide()
            #expect(try await deliveries.told(RestaurantsChanged.self).map(\.deliverers) == [1])
            for person in crowd(2) { try await deliveries.ordering(by: person) }
            try await deliveries.decide()
            let told = try await deliveries.told(RestaurantsChanged.self)
            #expect(told.map(\.deliverers) == [1, 0])
            #expect(told.allSatisfy { $0.restaurant == unicafe.shown })
            let match = try #require(try await deliveries.asked(lin))
            try await deliveries.act(.decline, on: match, by: lin)
            try await deliveries.decide()
            #expect(try await deliveries.told(RestaurantsChanged.self).map(\.deliverers) == [1, 0, 1])
            try await deliveries.useCases.endDelivery(.from(lin))
            try await deliveries.decide()
            #expect(try await deliveries.told(RestaurantsChanged.self).map(\.deliverers) == [1, 0, 1, 0])
        }
    }

    @Test func a_restaurant_where_nobody_was_for_a_day_is_forgotten() async throws {
        try await Deliveries.with { deliveries in
            try await deliveries.bringing()
            deliveries.clock.advance(by: .seconds(86_400 + 3600))
            try await deliveries.pass()
            #expect(try await deliveries.database.query("SELECT FROM restaurants").isEmpty)
        }
    }

    @Test func cursors_of_one_list_are_none_of_another() {
        func wrongRestaurants(_ query: DeliveryRestaurantQuery) -> [String] {
            wrong { () throws(DeliveryError) in _ = try RestaurantPage(query) }
        }
        let far = DistanceCursor(5, unicafe.id.uuid).text
        #expect(wrongRestaurants(DeliveryRestaurantQuery(cursor: far)) == ["cursor: not_a_cursor"])
        let near = DeliveryRestaurantQuery(near: position(0), cursor: "\(unicafe.id)")
        #expect(wrongRestaurants(near) == ["cursor: not_a_cursor"])
        let query = DelivererQuery(restaurant: unicafe.id, to: Position(latitude: 91, longitude: 0), limit: 0)
        let errors = wrong { () throws(DeliveryError) in _ = try DelivererPage(query) }
        #expect(errors == ["to: out_of_range", "limit: out_of_range"])
    }
}
