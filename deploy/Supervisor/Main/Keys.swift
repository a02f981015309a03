import ArgumentParser
import Messaging
import WireProtocol
import ZeroMQ

/// `kampong keys --directory DIR [ROLE …]`
struct Keys: ParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Makes the key pairs of the bus that are missing.",
        discussion: """
            Writes DIR/secret/<role>.key, for that process alone, and DIR/public/<role>.pub, for all. What exists stays as it is.
            """)

    @Option(help: "The directory of the keys; made if it is missing.")
    var directory: String

    @Argument(help: "Whose keys to make; by default everybody's.")
    var roles: [PeerRole] = PeerRole.allCases

    func run() throws {
        for role in roles {
            let identity = try BusKeys.create(role: role, in: directory)
            print("\(role.rawValue) \(identity.keys.publicKey.text)")
        }
    }
}

extension PeerRole: ExpressibleByArgument {}
