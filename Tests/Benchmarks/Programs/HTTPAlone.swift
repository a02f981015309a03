import ArgumentParser
import Hummingbird
import NIOCore

/// What an answer costs before anybody has thought about it: the HTTP library with one route, one parameter and the same bytes each time.
struct HTTPAlone: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Answers by Hummingbird alone until it is ended.")
    @Option(help: "The port of 127.0.0.1.") var port: Int
    @Option(help: "Bytes of the answer.") var size = 512

    func run() async throws {
        let body = ByteBuffer(repeating: UInt8(ascii: "x"), count: size)
        let router = Router()
        router.get("/v1/spots/:id") { _, context in
            _ = try context.parameters.require("id")
            return Response(
                status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: body))
        }
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: port)), logger: quiet)
        try await application.runService()
    }
}
