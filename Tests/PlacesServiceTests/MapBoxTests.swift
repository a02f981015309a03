import Testing
import WireProtocol

@testable import PlacesService

@Suite("Boxes on a map of degrees")
struct MapBoxTests {
    @Test("hold what is within the metres, in all directions", arguments: [0.0, 60.17, -33.9, 71.3, 89])
    func holds(latitude: Double) {
        let boxes = MapBox.around(Position(latitude: latitude, longitude: 24.9), within: 150)
        #expect(boxes.count == 1)
        // 150 metres are 0.00135 degrees of latitude.
        #expect(boxes[0].north >= latitude + 0.00134 && boxes[0].south <= latitude - 0.00134)
        #expect(boxes[0].west <= 24.9 - 0.00134 && boxes[0].east >= 24.9 + 0.00134)
    }

    @Test("are two where the date line is between", arguments: [180.0, -180.0, 179.9995, -179.9995])
    func dateLine(longitude: Double) {
        let boxes = MapBox.around(Position(latitude: -17, longitude: longitude), within: 150)
        for there in [180, -180, 179.9995, -179.9995] {
            #expect(boxes.contains { $0.west <= there && there <= $0.east })
        }
        #expect(boxes.allSatisfy { $0.west >= -180 && $0.east <= 180 && $0.west <= $0.east })
    }

    @Test("hold all longitudes at a pole", arguments: [90.0, -90.0])
    func pole(latitude: Double) {
        let boxes = MapBox.around(Position(latitude: latitude, longitude: 45), within: 500)
        #expect(boxes.count == 1 && boxes[0].west == -180 && boxes[0].east == 180)
    }
}

@Suite("Slips")
struct SlipTests {
    private func slips(_ key: String) -> [Slip] {
        PlaceSearch(key: key, limit: 10).slips
    }

    @Test(
        "are each there once, and agree with what was typed before their position",
        arguments: ["hello", "aabb", "москва"])
    func once(key: String) {
        let slips = slips(key)
        let texts = slips.map(\.text)
        #expect(Set(texts).count == texts.count)
        #expect(!texts.contains(key))
        #expect(slips.allSatisfy { $0.text.prefix($0.position) == key.prefix($0.position) })
    }

    @Test(
        "are letters exchanged, left out, one too many and another one",
        arguments: ["helsnki", "ehlsinki", "heelsinki", "hezsinki"])
    func kinds(typed: String) {
        let hasWanted = slips(typed).contains { $0.text == "helsinki" }
        #expect(hasWanted)
    }
}
