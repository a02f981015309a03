import Testing
import WireProtocol

@testable import PlacesService

/// Which features of OpenStreetMap are offered as what, and where their pins stand.
@Suite struct OSMPlaceTests {
    private func read(_ tags: String, _ geometry: String = #""type":"Point","coordinates":[24.9,60.1]"#) throws(LeftOut)
        -> PlaceRecord?
    {
        var reader = ImportFormat.osm.reader(kind: nil)
        let text = #"{"type":"Feature","geometry":{\#(geometry)},"properties":{"@type":"way","@id":5,\#(tags)}}"#
        return try reader.read(Array(text.utf8)[...])?.checked()
    }

    private func kind(_ tags: String) -> PlaceKind? { (try? read(tags))?.kind }

    @Test(arguments: [
        #""access":"yes""#, #""access":"permissive""#, #""access":"public""#, #""access":"destination""#,
        #""fee":"yes""#,
        #""access":"private;permissive""#, #""access":"private","motor_vehicle":"yes""#, #""disused":"no""#,
        #""access":"no","motorcar":"designated""#, #""name":"Kluuvi","access":"unknown""#,
    ]) func a_car_park_for_everybody_is_offered(_ tags: String) {
        #expect(kind(#""amenity":"parking",\#(tags)"#) == .parking)
        #expect(kind(#""amenity":"parking_entrance",\#(tags)"#) == .parking)
    }

    @Test(arguments: [
        #""access":"private""#, #""access":"customers""#, #""access":"permit""#, #""access":"no""#,
        #""access":"residents""#,
        #""access":"Private""#, #""access":"customers; private""#, #""access":"yes","motor_vehicle":"private""#,
        #""motorcar":"no","access":"yes""#, #""disused":"yes""#, #""abandoned":"yes","access":"yes""#,
        #""name":"P-Firm","access":"employees""#, #""name":"Old Garage","building":"yes","disused":"yes""#,
    ]) func a_car_park_that_is_not_is_left_out(_ tags: String) throws {
        for amenity in ["parking", "parking_entrance"] {
            #expect(kind(#""amenity":"\#(amenity)",\#(tags)"#) == nil)
            let address = try read(
                #""amenity":"\#(amenity)",\#(tags),"addr:street":"Kai","addr:housenumber":"3""#)
            #expect(address?.kind == .address && address?.name == "Kai 3")
        }
    }

    @Test func what_is_no_more_is_nothing_to_go_to() {
        #expect(kind(#""name":"A","amenity":"cafe","disused":"yes""#) == nil)
        #expect(kind(#""name":"A","shop":"bakery","abandoned":"yes""#) == nil)
        #expect(kind(#""name":"A","railway":"station","demolished":"yes""#) == nil)
        #expect(kind(#""name":"A","amenity":"cinema","building":"yes","disused":"yes""#) == .building)
        #expect(kind(#""disused:amenity":"parking""#) == nil)
    }

    /// Rings as longitudes and latitudes: a courtyard, one that is off the middle, two courtyards, a U, a ring with an islet in it.
    @Test(arguments: [
        #""type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[2,2],[7,2],[7,7],[2,7],[2,2]]]"#,
        #""type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[0.5,0.5],[8,0.5],[8,8],[0.5,8],[0.5,0.5]]]"#,
        #""type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[1,1],[1,8],[4.6,8],[4.6,1],[1,1]],[[5,1],[8,1],[8,8],[5,8],[5,1]]]"#,
        #""type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[8,9],[8,1],[1,1],[1,9],[0,9],[0,0]]]"#,
        #""type":"MultiPolygon","coordinates":[[[[20,0],[21,0],[21,1],[20,1],[20,0]]],[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[1,1],[8,1],[8,8],[1,8],[1,1]]]]"#,
        #""type":"GeometryCollection","geometries":[{"type":"Point","coordinates":[4.5,4.5]},{"type":"Polygon","coordinates":[[[0,0],[9,0],[9,9],[0,9],[0,0]],[[1,1],[8,1],[8,8],[1,8],[1,1]]]}]"#,
    ]) func a_pin_stands_on_the_ground_of_its_outline(_ geometry: String) throws {
        let point = try #require(try read(#""name":"Hall","building":"yes""#, geometry)).position
        let feature = Array(#"{"type":"Feature","properties":{},"geometry":{\#(geometry)}}"#.utf8)
        let rings = try #require(try GeoJSONFeature(feature[...]).geometry)
        let area = zip(rings.lines, rings.holes).first { $0.0.contains { $0.longitude == 9 } }
        let (outline, holes) = try #require(area)
        #expect(Self.holds(point, outline), "\(point)")
        #expect(holes.allSatisfy { !Self.holds(point, $0) }, "\(point)")
    }

    @Test func a_pin_stands_in_the_middle_where_there_is_ground() {
        let ring = [(0.0, 0.0), (4, 0), (4, 2), (0, 2), (0, 0)].map { Position(latitude: $0.1, longitude: $0.0) }
        #expect(Surface(outline: ring).point == Position(latitude: 1, longitude: 2))
        let far = ring.map { Position(latitude: $0.latitude / 4, longitude: 3 + $0.longitude / 8) }
        #expect(Surface(outline: ring, holes: [far]).point == Position(latitude: 1, longitude: 2))
    }

    /// A courtyard on the date line: the pin is on one side of it, and on the earth.
    @Test func a_pin_stands_beside_a_hole_on_the_date_line() throws {
        func ring(_ west: Double, _ east: Double, _ south: Double, _ north: Double) -> [Position] {
            [(west, south), (east, south), (east, north), (west, north), (west, south)].map {
                Position(latitude: $0.1, longitude: $0.0)
            }
        }
        let point = try #require(
            Surface(outline: ring(179, -179, -18, -16), holes: [ring(179.5, -179.5, -17.8, -16.2)]).point)
        #expect(point.isValid && point.longitude.magnitude > 179)
        #expect(point.longitude.magnitude < 179.5 || point.latitude < -17.8 || point.latitude > -16.2, "\(point)")
    }

    /// By the ring's winding around a point, another way than the one that is tested.
    private static func holds(_ point: Position, _ ring: [Position]) -> Bool {
        var turns = 0
        for (a, b) in zip(ring, ring.dropFirst()) {
            let side =
                (b.longitude - a.longitude) * (point.latitude - a.latitude)
                - (point.longitude - a.longitude) * (b.latitude - a.latitude)
            if a.latitude <= point.latitude, b.latitude > point.latitude, side > 0 { turns += 1 }
            if a.latitude > point.latitude, b.latitude <= point.latitude, side < 0 { turns -= 1 }
        }
        return turns != 0
    }
}
