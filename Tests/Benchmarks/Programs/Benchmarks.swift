import ArgumentParser

/// Kampong's side of the comparisons that `deploy/bench` makes below HTTP. Each command prints one line of JSON.
@main struct Benchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "benchmarks", abstract: "Runs one side of a comparison; deploy/bench calls it.",
        subcommands: [
            BusServer.self, BusClient.self, SelectRows.self, InsertRows.self, Publish.self, Subscribe.self, Hashes.self,
            StreetDistances.self, Documents.self, HTTPAlone.self, AssignOrders.self, OfferOrders.self,
        ])
}
