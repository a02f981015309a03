import Testing
import WireProtocol

@testable import MatchingService

@Suite struct DeliveryAreaTests {
    /// Of a linear generator: the same ones each time.
    private func points(_ count: Int) -> [(Double, Double, Double)] {
        var state: UInt64 = 7
        func next() -> Double {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(state >> 11) / Double(UInt64(1) << 53)
        }
        return (0..<count).map { _ in (next(), next(), next()) }
    }

    @Test func whatever_is_in_a_circle_is_in_a_tile_that_it_touches() {
        for (number, (one, two, three)) in points(20_000).enumerated() {
            let middle = Position(latitude: one * 168 - 84, longitude: number % 3 == 0 ? 179.999 : two * 360 - 180)
            let circle = OrderedAround(position: middle, radius: [100, 400, 1000][number % 3], items: "Soup")
            let metre = 180 / (Earth.radius * .pi)
            let width = Double(circle.radius) * metre * (three * 2 - 1) * 12
            let height = Double(circle.radius) * metre * (two * 2 - 1)
            var longitude = middle.longitude + width
            if longitude > 180 { longitude -= 360 } else if longitude < -180 { longitude += 360 }
            let place = KnownPlace(
                id: unicafe.id, name: "x", position: Position(latitude: middle.latitude + height, longitude: longitude))
            guard place.isInside(circle) else { continue }
            #expect(DeliveryArea.touched(by: circle).contains(DeliveryArea.of(place.position)))
        }
    }

    @Test func tiles_have_numbers_of_their_own_as_far_as_the_edges_of_the_map() {
        let corners: [(Double, Double)] = [(-90, -180), (-90, 179.99), (90, -180), (90, 179.99), (0, 0), (0.05, 0.11)]
        let areas = corners.map { DeliveryArea.of(Position(latitude: $0.0, longitude: $0.1)) }
        #expect(Set(areas).count == corners.count)
        #expect(areas.allSatisfy { (0..<Int64(1800 * 3600)).contains($0) })
        let east = DeliveryArea.of(Position(latitude: 1, longitude: 180))
        #expect(east == DeliveryArea.of(Position(latitude: 1, longitude: -180)))
    }

    @Test func an_order_waits_wherever_one_of_its_restaurants_is() {
        let far = KnownPlace(id: PlaceID.new(), name: "Far", position: Position(latitude: 1.25, longitude: 25.25))
        let order = Example.order { $0.from.append(WantedFrom(restaurant: far, items: "Tea")) }
        #expect(order.areas == [DeliveryArea.of(unicafe.position), DeliveryArea.of(far.position)].sorted())
        #expect(Example.order { $0.from = [WantedFrom(restaurant: unicafe, items: "x")] }.areas.count == 1)
    }
}
