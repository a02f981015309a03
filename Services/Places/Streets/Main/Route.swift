import ArgumentParser
import StreetNetwork
import WireProtocol

struct Route: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Answers lines of two places with the way from the one to the other.",
        discussion: """
            For each line comes one of JSON: a list of points, each latitude and longitude, all along the streets; null where there is no way.
            """)
    @Argument var network: String
    @Option(help: "walk or drive.") var profile = TravelProfile.drive
    @Option(help: "Metres within which a street is looked for.") var reach = StreetNetwork.reach

    func run() throws {
        let network = try StreetNetwork.load(from: network)
        try PlaceLines.each { places in
            guard places.count == 2 else { throw ValidationError("two places in a line") }
            let way = network.way(from: places[0], to: places[1], by: profile, within: reach)
            print(way.map { "[" + $0.map(Self.json).joined(separator: ",") + "]" } ?? "null")
        }
    }

    private static func json(_ point: Position) -> String { "[\(point.latitude),\(point.longitude)]" }
}

/// Places as they are written on lines of the standard input.
enum PlaceLines {
    static func each(_ body: ([Position]) throws -> Void) throws {
        var number = 0
        while let line = readLine() {
            number += 1
            let places = line.split(separator: " ").map(position)
            guard !places.isEmpty, !places.contains(nil) else {
                throw ValidationError("line \(number): places are written latitude,longitude")
            }
            try body(places.compactMap(\.self))
        }
    }

    private static func position(_ text: Substring) -> Position? {
        let numbers = text.split(separator: ",").map { Double($0) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
        let position = Position(latitude: latitude, longitude: longitude)
        return position.isValid ? position : nil
    }
}
