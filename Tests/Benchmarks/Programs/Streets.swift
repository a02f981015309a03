import ArgumentParser
import StreetNetwork
import WireProtocol

/// From one place to many along streets: each line of standard input is an origin and its targets, asked one after the other.
struct StreetDistances: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "streets", abstract: "Measures distances along streets, from one place to many.")
    @Argument(help: "What `streets build` made.") var network: String
    @Option(help: "walk or drive.") var profile = "walk"

    struct Report: Encodable {
        /// Milliseconds.
        var load: Double
        /// Microseconds each.
        var times: StopwatchSummary
        /// Metres on foot, seconds by car, line by line.
        var answers: [[Double]]
        var alongStreets: Int
    }
    typealias StopwatchSummary = Stopwatch.Summary

    func run() throws {
        guard let profile = TravelProfile(rawValue: profile) else { throw ValidationError("there is no such profile") }
        let begin = nanoseconds()
        let streets = try StreetNetwork.load(from: network)
        let load = Double(nanoseconds() - begin) / 1e6
        let (watch, start) = (Stopwatch(), nanoseconds())
        var (answers, alongStreets): ([[Double]], Int) = ([], 0)
        while let line = readLine() {
            let places = line.split(separator: " ").map { place in
                let numbers = place.split(separator: ",").compactMap { Double($0) }
                return Position(latitude: numbers[0], longitude: numbers[1])
            }
            let asked = nanoseconds()
            let found = streets.distances(from: places[0], to: Array(places.dropFirst()), by: profile)
            watch.note(nanoseconds() - asked)
            answers.append(found.map { profile == .walk ? $0.metres : $0.seconds ?? -1 })
            alongStreets += found.count { $0.isAlongStreets }
        }
        try report(
            Report(
                load: load, times: watch.summary(over: Double(nanoseconds() - start) / 1e9), answers: answers,
                alongStreets: alongStreets))
    }
}
