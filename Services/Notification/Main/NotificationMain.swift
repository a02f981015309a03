import NotificationService

/// The process `notification`: reads its settings and runs until it is told to stop.
@main
struct NotificationMain {
    static func main() async { await NotificationWiring.run() }
}
