import GatewayService

@main struct GatewayMain {
    static func main() async { await GatewayWiring.run() }
}
