package import WireProtocol
package import ZeroMQ

extension BusIdentity {
    /// Reads the secret key of `role`; see `load(secretKey:publicKeys:role:)` with the role's name.
    package static func load(secretKey path: String, publicKeys: String, role: PeerRole) throws -> BusIdentity {
        try load(secretKey: path, publicKeys: publicKeys, role: role.rawValue)
    }
}

extension BusKeys {
    /// Makes `<directory>/secret/<role>.key` (mode 0600) and `<directory>/public/<role>.pub`, each unless it exists.
    @discardableResult
    package static func create(role: PeerRole, in directory: String) throws -> BusIdentity {
        try create(role: role.rawValue, in: directory)
    }
}
