import ChatService

/// The process `chat`: reads its settings and runs until it is told to stop; with the verb `migrate`, brings its tables up to date.
@main
struct ChatMain {
    static func main() async { await ChatWiring.run() }
}
