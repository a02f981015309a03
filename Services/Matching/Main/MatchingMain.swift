import MatchingService

/// The process `matching`: reads its settings and runs until it is told to stop; with the verb `migrate`, brings its tables up to date.
@main
struct MatchingMain {
    static func main() async { await MatchingWiring.run() }
}
