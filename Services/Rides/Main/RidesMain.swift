import RidesService

/// The process `rides`: reads its settings and runs until it is told to stop; with the verb `migrate`, brings its tables up to date.
@main
struct RidesMain {
    static func main() async { await RidesWiring.run() }
}
