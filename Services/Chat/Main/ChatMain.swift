import ChatService

/// The process `chat`: reads its settings and runs until it is told to stop.
@main
struct ChatMain {
    static func main() async { await ChatWiring.run() }
}
