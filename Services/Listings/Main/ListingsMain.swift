import ListingsService

/// The process `listings`: reads its settings and runs until it is told to stop.
@main
struct ListingsMain {
    static func main() async { await ListingsWiring.run() }
}
