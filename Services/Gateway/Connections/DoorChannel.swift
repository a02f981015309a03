package import HummingbirdCore
package import Logging
package import NIOCore
import NIOHTTP1

/// Hummingbird's HTTP/1 with a guard on each connection that is taken up.
package struct DoorChannel: ServerChildChannel {
    package struct Value: ServerChildChannelValue {
        package let channel: any Channel
        /// Nil for a connection that is closed as soon as it came.
        fileprivate let http: HTTP1Channel.Value?
    }

    private let http: HTTP1Channel
    private let limits: ConnectionLimits
    private let times: ConnectionTimes
    private let proxies: TrustedProxies

    package init(
        responder: @escaping HTTPChannelHandler.Responder, limits: ConnectionLimits, times: ConnectionTimes,
        proxies: TrustedProxies
    ) {
        // Idle connections are the guard's business.
        var configuration = HTTP1Channel.Configuration()
        configuration.httpDecoder = .init(
            maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100)
        http = HTTP1Channel(responder: responder, configuration: configuration)
        self.limits = limits
        self.times = times
        self.proxies = proxies
    }

    package func setup(channel: any Channel, logger: Logger) -> EventLoopFuture<Value> {
        let owner = self.owner(of: channel)
        guard limits.admits(owner) else {
            // Without a word, which would cost what is to be spared.
            channel.close(promise: nil)
            return channel.eventLoop.makeSucceededFuture(Value(channel: channel, http: nil))
        }
        return http.setup(channel: channel, logger: logger).flatMapThrowing { value in
            let pipeline = channel.pipeline.syncOperations
            let decoder = try pipeline.handler(type: ByteToMessageHandler<HTTPRequestDecoder>.self)
            let connection = ConnectionGuard(limits: limits, owner: owner, times: times)
            try pipeline.addHandler(connection, position: .after(decoder))
            try pipeline.addHandler(ByteWatch(connection), position: .first)
            return Value(channel: channel, http: value)
        }
    }

    /// A proxy that we trust brings everybody's requests.
    private func owner(of channel: any Channel) -> [UInt8]? {
        guard let address = channel.remoteAddress?.ipAddress, !proxies.trusts(address) else { return nil }
        return IPAddress(address)?.customer ?? Array(address.utf8)
    }

    package func handle(value: Value, logger: Logger) async {
        guard let taken = value.http else { return }
        await http.handle(value: taken, logger: logger)
    }
}
