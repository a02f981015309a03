package import WireProtocol

extension PeerRole {
    /// The settings by which a service finds all others, none of which is there.
    /// - Parameter port: where nobody answers; asked for each address.
    package static func absent(at port: () throws -> Int) rethrows -> [String: String] {
        try stateful.reduce(into: [:]) { settings, role in
            for use in ["REQUESTS", "EVENTS"] {
                settings["KAMPONG_PEERS_\(role.rawValue.uppercased())_\(use)"] = "tcp://127.0.0.1:\(try port())"
            }
        }
    }
}
