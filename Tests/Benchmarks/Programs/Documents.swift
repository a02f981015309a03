import ArgumentParser
import FoundationEssentials
import WireProtocol

/// Writing what is answered as JSON, on one thread.
struct Documents: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Writes pages of spots as JSON.")
    enum Writer: String, ExpressibleByArgument, CaseIterable { case kampong, foundation }

    @Option(help: "Who writes.") var writer: Writer
    @Option(help: "Spots on a page.") var spots = 20
    @Option(help: "How long to measure.") var seconds = 3.0

    func run() async throws {
        let page = Page(items: (0..<spots).map(Self.spot), next: nil)
        let foundation = Self.foundation()
        let watch = Stopwatch()
        let begin = nanoseconds() + 1_000_000_000
        let end = begin + Int64(seconds * 1e9)
        while case let start = nanoseconds(), start < end {
            switch writer {
            case .kampong: _ = try WireJSON.encode(page)
            case .foundation: _ = try foundation.encode(page)
            }
            if start >= begin { watch.note(nanoseconds() - start) }
        }
        guard try WireJSON.encode(page) == Array(foundation.encode(page)) else {
            throw ValidationError("The two write different bytes.")
        }
        try report(watch.summary(over: seconds))
    }

    private static func spot(_ number: Int) -> Spot {
        let time = Date(timeIntervalSince1970: 1_780_000_000 + Double(number))
        return Spot(
            id: .new(at: time), name: "Beside the library \(number)",
            position: Position(latitude: 60.170_01 + Double(number) / 977, longitude: 24.944_1), kind: .street,
            state: .free, photo: nil, price: nil, postedBy: PersonSummary(id: .new(at: time), name: "Maya Tan"),
            postedAt: time, expiresAt: time + 1800, age: number, distance: nil,
            directions: "geo:60.17001,24.9441?q=60.17001,24.9441(Beside%20the%20library%20\(number))",
            observations: ObservationCount(there: 1, gone: 0), likelyGone: false, mine: false, claim: nil)
    }

    /// As `WireJSON` would have it.
    private static func foundation() -> JSONEncoder {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        encoder.dateEncodingStrategy = .custom { date, encoder in
            var container = encoder.singleValueContainer()
            try container.encode(WireJSON.text(of: date))
        }
        return encoder
    }
}
