import ArgumentParser

/// Makes a street network from an OpenStreetMap extract, and asks it. README.md has the shapes of what goes in and out.
@main struct StreetsMain: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "streets", abstract: "Distances along streets.",
        subcommands: [Build.self, Show.self, Distances.self, Route.self])
}
