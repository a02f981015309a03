import Testing
import WireProtocol

@testable import PlacesService

/// The squares that names are looked up in around a person.
@Suite struct PlaceCellTests {
    private func point(_ latitude: Double, _ longitude: Double) -> Position {
        Position(latitude: latitude, longitude: longitude)
    }

    /// Ten kilometres, whichever way one goes and wherever one stands, are within the squares around.
    @Test func what_is_ten_kilometres_away_is_around() {
        for latitude in [-89.0, -60, -0.01, 0.05, 42.3, 60.17, 85] {
            for longitude in [-180.0, -179.99, -0.01, 0, 24.94, 179.99, 180] {
                let cells = PlaceCell.around(point(latitude, longitude))
                #expect(cells.contains(PlaceCell.number(of: point(latitude, longitude))))
                #expect(cells.contains(PlaceCell.number(of: point(latitude + 0.09, longitude))))
                #expect(cells.contains(PlaceCell.number(of: point(latitude - 0.09, longitude))))
            }
        }
        #expect(PlaceCell.around(point(60.17, 24.94)).contains(PlaceCell.number(of: point(60.17, 25.12))))
    }

    @Test func the_date_line_and_the_poles_are_edges_like_others() {
        #expect(PlaceCell.number(of: point(10, 180)) == PlaceCell.number(of: point(10, -180)))
        #expect(PlaceCell.around(point(10, 179.99)).contains(PlaceCell.number(of: point(10, -179.99))))
        #expect(PlaceCell.around(point(-18.1, -179.99)).contains(PlaceCell.number(of: point(-18.1, 179.99))))
        #expect(PlaceCell.around(point(90, 0)).contains(PlaceCell.number(of: point(90, 123))))
        #expect(!PlaceCell.around(point(-90, 0)).isEmpty)
    }

    @Test func squares_are_small_and_far_ones_are_others() {
        #expect(PlaceCell.around(point(60.17, 24.94)).count == 9)
        #expect(!PlaceCell.around(point(60.17, 24.94)).contains(PlaceCell.number(of: point(60.17, 26))))
        #expect(!PlaceCell.around(point(60.17, 24.94)).contains(PlaceCell.number(of: point(60.6, 24.94))))
    }
}
