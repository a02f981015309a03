import NIOCore

// What tells a connection's guard of more than requests and answers.

/// Sent down the pipeline by an answer that has no end: whoever hangs up while it is written waits for nothing any more. After any other
/// request a client may say that it sends no more, and still read the answer.
struct EndlessAnswer: Sendable {}

/// Tells the guard when bytes arrive that are no request yet.
final class ByteWatch: ChannelInboundHandler, RemovableChannelHandler {
    typealias InboundIn = ByteBuffer
    typealias InboundOut = ByteBuffer

    private let connection: ConnectionGuard

    init(_ connection: ConnectionGuard) { self.connection = connection }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        connection.heard()
        context.fireChannelRead(data)
    }
}
