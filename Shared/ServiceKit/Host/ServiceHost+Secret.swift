import ZeroMQ

extension ServiceHost {
    /// A secret that all replicas of this service share and keep: its secret key on the bus. For what is derived from a secret,
    /// such as digests of requests; a service with secrets of its own uses those.
    package var sharedSecret: [UInt8] { Array(bus.keys.secretKey.text.utf8) }
}
