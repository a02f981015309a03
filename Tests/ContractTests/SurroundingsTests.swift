import Foundation
import Testing
import WireProtocol

/// The box around a circle.
@Suite struct SurroundingsTests {
    private static let places = [
        Position(latitude: 0, longitude: 0), Position(latitude: 60.17, longitude: 24.94),
        Position(latitude: -33.9, longitude: -179.999_9), Position(latitude: 12, longitude: 180),
        Position(latitude: 89.999, longitude: 7), Position(latitude: -89.998, longitude: 0),
    ]

    @Test(arguments: places, [1.0, 30, 150, 50_000])
    func all_that_is_so_near_is_within(_ middle: Position, _ metres: Double) {
        let box = BoundingBox(around: middle, metres: metres)
        #expect(box.isValid)
        for bearing in stride(from: 0.0, to: 360, by: 7.5) {
            #expect(box.contains(middle.moved(by: metres, towards: bearing)), "\(bearing)")
        }
    }

    @Test func what_is_half_as_far_again_is_not() {
        for middle in Self.places.prefix(4) {
            let box = BoundingBox(around: middle, metres: 150)
            for bearing in [0.0, 90, 180, 270] {
                #expect(!box.contains(middle.moved(by: 225, towards: bearing)), "\(middle), \(bearing)")
            }
        }
    }

    @Test func a_box_across_the_date_line_has_two_parts() {
        let parts = BoundingBox(around: Position(latitude: 0, longitude: 180), metres: 150).parts
        #expect(parts.map(\.isValid) == [true, true])
        #expect(parts[0].east == 180 && parts[1].west == -180)
        #expect(BoundingBox(around: Self.places[1], metres: 150).parts.count == 1)
    }
}

extension Position {
    /// Along a great circle.
    fileprivate func moved(by metres: Double, towards bearing: Double) -> Position {
        let (angle, turn) = (metres / 6_378_168, bearing * .pi / 180)
        let (up, along) = (latitude * .pi / 180, longitude * .pi / 180)
        // In space, with the meridian of the point in front: no arcsine, which is coarse at a pole.
        let (front, right) = (cos(up) * cos(angle) - sin(up) * sin(angle) * cos(turn), sin(angle) * sin(turn))
        let north = atan2(sin(up) * cos(angle) + cos(up) * sin(angle) * cos(turn), hypot(front, right))
        let east = along + atan2(right, front)
        return Position(latitude: north * 180 / .pi, longitude: remainder(east * 180 / .pi, 360))
    }
}
