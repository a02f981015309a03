import NotificationService

/// The process `notification`: reads its settings and runs until it is told to stop; with the verb `migrate`, brings its tables up to date.
@main
struct NotificationMain {
    static func main() async { await NotificationWiring.run() }
}
