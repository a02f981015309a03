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
    @Flag(help: "From each target to the origin.") var backwards = false

    func run() throws {
        let network = try StreetNetwork.load(from: network)
        try PlaceLines.each { places in
            let found = network.distances(
                from: places[0], to: Array(places.dropFirst()), by: profile, backwards: backwards, within: reach)
            print("[" + found.map(Self.json).joined(separator: ",") + "]")
        }
    }

    private static func json(_ distance: StreetDistance) -> String {
        let seconds = distance.seconds.map { "\($0)" } ?? "null"
        return #"{"metres":\#(distance.metres),"seconds":\#(seconds),"isAlongStreets":\#(distance.isAlongStreets)}"#
    }
}

extension TravelProfile: ExpressibleByArgument {}
