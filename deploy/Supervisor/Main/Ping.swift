import ArgumentParser
import FoundationEssentials
import Messaging
import ServiceKit
import WireProtocol

/// `kampong ping [SERVICE …]`
struct Ping: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Asks services over the bus whether they are there.",
        discussion: "Says how long each took. Fails when one does not answer.")

    @OptionGroup var bus: OperatorBus

    @Argument(help: "Which services; by default all whose addresses are known.")
    var services: [PeerRole] = []

    func run() async throws {
        let asked = services
        let answers = try await bus.use { client, known in
            var answers: [(PeerRole, String?)] = []
            for role in asked.isEmpty ? known : asked {
                let begin = ContinuousClock.now
                do {
                    let ping = role.methods.ping
                    _ = try await client.call(ping, Nothing(), Nothing(), deadline: Date() + 3)
                    let milliseconds = (ContinuousClock.now - begin) / .milliseconds(1)
                    StandardOutput.say("\(role.rawValue) \((milliseconds * 100).rounded() / 100) ms")
                    answers.append((role, nil))
                } catch let error as ServiceError {
                    answers.append((role, error.detail))
                }
            }
            return answers
        }
        let silent = answers.filter { $0.1 != nil }
        for (role, reason) in silent { StandardOutput.complain("\(role.rawValue) does not answer. \(reason ?? "")") }
        if !silent.isEmpty { throw ExitCode(1) }
    }
}

extension StandardOutput {
    static func say(_ line: String) { write(Array("\(line)\n".utf8)) }
}
