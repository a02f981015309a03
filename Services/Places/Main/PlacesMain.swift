import PlacesService

/// The process `places`: reads its settings and runs until it is told to stop. With a verb (`migrate`, `import`, `streets`, `sources`, `remove`) it
/// does that instead, as the owner of the tables.
@main
struct PlacesMain {
    static func main() async {
        let first = CommandLine.arguments.dropFirst().first
        if let first, first != "migrate", !first.hasPrefix("--kampong-") {
            await PlacesTool.perform()
        } else {
            await PlacesWiring.run()
        }
    }
}
