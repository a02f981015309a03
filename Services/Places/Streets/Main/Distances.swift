import ArgumentParser
import StreetNetwork
import WireProtocol

struct Distances: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Answers lines of places: the first of each is the origin, the others are targets.",
        discussion: """
            A place is latitude,longitude; a line has them with spaces between. For each line comes one of JSON: a list with an object for each target, in order, \
            with metres, seconds (null in a straight line) and isAlongStreets.
            """)
    @Argument var network: String
    @Option(help: "walk or drive.") var profile = TravelProfile.walk
    @Option(help: "Metres within which a street is looked for.") var reach = StreetNetwork.reach

    func run() throws {
        let network = try StreetNetwork.load(from: network)
        var number = 0
        while let line = readLine() {
            number += 1
            let places = line.split(separator: " ").map(Self.position)
            guard let origin = places.first, let origin, !places.contains(nil) else {
                throw ValidationError("line \(number): places are written latitude,longitude")
            }
            let found = network.distances(
                from: origin, to: places.dropFirst().compactMap { $0 }, by: profile, within: reach)
            print("[" + found.map(Self.json).joined(separator: ",") + "]")
        }
    }

    private static func position(_ text: Substring) -> Position? {
        let numbers = text.split(separator: ",").map { Double($0) }
        guard numbers.count == 2, let latitude = numbers[0], let longitude = numbers[1] else { return nil }
        let position = Position(latitude: latitude, longitude: longitude)
        return position.isValid ? position : nil
    }

    private static func json(_ distance: StreetDistance) -> String {
        let seconds = distance.seconds.map { "\($0)" } ?? "null"
        return #"{"metres":\#(distance.metres),"seconds":\#(seconds),"isAlongStreets":\#(distance.isAlongStreets)}"#
    }
}

extension TravelProfile: ExpressibleByArgument {}
