import DurableMessaging
import Postgres
import WireProtocol

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

// Fields of the map: rounds look at one at a time.

/// Tiles of a tenth of a degree. Of what lies in one of them there is one round at a time.
enum DeliveryArea {
    private static let tilesPerDegree = 10.0
    private static let columns = Int64(3600)
    private static let rows = Int64(1800)

    static func of(_ position: Position) -> Int64 {
        number(row: row(position.latitude), column: column(position.longitude))
    }

    /// All tiles in which a restaurant of that circle may be.
    static func touched(by circle: OrderedAround) -> [Int64] {
        let (latitude, longitude) = (circle.position.latitude, circle.position.longitude)
        // A metre more, as those inside are found by whole metres.
        let height = Double(circle.radius + 1) / Earth.radius * 180 / .pi
        let width = height / cos(min(abs(latitude) + height, 89) * .pi / 180)
        let (south, north) = (row(latitude - height), row(latitude + height))
        let (west, east) = (column(longitude - width), column(longitude + width))
        return (south...north).flatMap { row in (west...east).map { number(row: row, column: $0) } }
    }

    private static func row(_ latitude: Double) -> Int64 {
        min(max(Int64(((latitude + 90) * tilesPerDegree).rounded(.down)), 0), rows - 1)
    }

    private static func column(_ longitude: Double) -> Int64 {
        Int64(((longitude + 180) * tilesPerDegree).rounded(.down))
    }

    /// East of the date line the columns begin anew.
    private static func number(row: Int64, column: Int64) -> Int64 {
        row * columns + (column % columns + columns) % columns
    }
}

extension PlacedOrder {
    /// Where somebody may be who brings it.
    var areas: [Int64] {
        let areas = around.map { DeliveryArea.touched(by: $0) } ?? from.map { DeliveryArea.of($0.restaurant.position) }
        return Set(areas).sorted()
    }
}
