import ArgumentParser
import Foundation
import WireProtocol

/// A handful of neighbours who use Kampong as people do, through its HTTP interface, for as long as they run.
///
/// `deploy/up --demo` supervises it. Started again it goes on: the neighbours sign in, and the map is filled up.
@main struct Demo: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "demo", abstract: "Brings a lively demo community into a Kampong that runs.")

    @Option(help: "The address of the gateway.") var url: String
    @Option(help: "The folder with the drawings, pictures/*.jpg and people/*.jpg.") var pictures: String
    @Option(help: "The parking places that deploy/basemap found in the extract.") var places: String
    @Option(help: "Seconds between two things that happen, on average.") var pace: Double = 30

    func validate() throws {
        guard URL(string: url)?.host() != nil else { throw ValidationError("--url \(url) is not an address.") }
        guard pace > 0 else { throw ValidationError("--pace is more than zero.") }
    }

    func run() async throws {
        guard let secret = ProcessInfo.processInfo.environment["KAMPONG_DEMO_SECRET"], secret.count >= 16 else {
            throw ValidationError("KAMPONG_DEMO_SECRET is missing; the neighbours' passwords are made from it.")
        }
        let places = try Place.read(places)
        let album = Album(folder: pictures)
        let neighbourhood = Neighbourhood(
            neighbours: Neighbour.cast.map { Resident($0, url: URL(string: url)!, secret: secret, album: album) },
            places: places)
        await neighbourhood.live(pace: pace)
    }
}

extension Problem {
    /// What the log says of it, with the fields that it is about.
    var said: String { ([detail] + errors.map { "\($0.field): \($0.code)" }).joined(separator: " ") }
}

/// One line of the log.
func note(_ line: String) {
    FileHandle.standardOutput.write(Data("\(Date().formatted(.iso8601)) \(line)\n".utf8))
}
