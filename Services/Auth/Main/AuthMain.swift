import AuthService

@main
struct AuthMain {
    static func main() async { await AuthWiring.run() }
}
