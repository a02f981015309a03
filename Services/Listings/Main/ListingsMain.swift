import ListingsService

/// The process `listings`: reads its settings and runs until it is told to stop; with the verb `migrate`, brings its tables up to date.
@main
struct ListingsMain {
    static func main() async { await ListingsWiring.run() }
}
