import ArgumentParser
import FoundationEssentials
import Messaging
import ServiceKit
import WireProtocol

/// `kampong dead-letters list|replay|discard --service SERVICE`
struct DeadLetters: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows, replays or discards events that a service could not handle.",
        discussion: "Such an event is set aside with the later ones of the same thing; the others go on.",
        subcommands: [List.self, Replay.self, Discard.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows what was set aside.")

        @OptionGroup var bus: OperatorBus
        @Option(help: "The service that could not handle them.") var service: PeerRole
        @Flag(help: "As JSON, with everything that is known.") var json = false

        func run() async throws {
            let method = service.methods.deadLetters
            let letters = try await bus.use { client, _ in
                var (letters, query) = ([DeadLetter](), DeadLetterQuery())
                repeat {
                    let page = try await client.call(method, query, Nothing())
                    letters += page.items
                    query.cursor = page.next
                } while query.cursor != nil
                return letters
            }
            if json {
                StandardOutput.write(try WireJSON.encode(letters) + [UInt8(ascii: "\n")])
                return
            }
            for letter in letters { StandardOutput.say(Self.line(letter)) }
            if letters.isEmpty { StandardOutput.say("Nothing was set aside.") }
        }

        private static func line(_ letter: DeadLetter) -> String {
            let place = "\(letter.publisher) \(letter.position)"
            let what = "\(letter.header.type) of \(letter.header.aggregate)"
            let history = "\(letter.attempts) attempts, set aside \(WireJSON.text(of: letter.setAsideAt))"
            let event = letter.header.id.uuidString.lowercased()
            return "\(event) \(place): \(what), \(history): \(letter.reason)"
        }
    }

    struct Replay: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tries again what was set aside.", discussion: "Fails when something remains.")

        @OptionGroup var bus: OperatorBus
        @Option(help: "The service that is to try again.") var service: PeerRole

        func run() async throws {
            let method = service.methods.replayDeadLetters
            let result = try await bus.use { client, _ in try await client.call(method, Nothing(), Nothing()) }
            StandardOutput.say("\(result.replayed) handled, \(result.remaining) remain.")
            if result.remaining > 0 { throw ExitCode(1) }
        }
    }

    struct Discard: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Throws away events that can never be handled.",
            discussion: """
                What they say is lost to the service. The later events of the same things stay set aside: replay them afterwards. Fails when \
                none of the events was set aside.
                """)

        @OptionGroup var bus: OperatorBus
        @Option(help: "The service that could not handle them.") var service: PeerRole
        @Argument(help: "The events' ids, as list shows them.", transform: Self.id) var events: [UUID]

        func run() async throws {
            let method = service.methods.discardDeadLetters
            let selection = DeadLetterSelection(events: events)
            let result = try await bus.use { client, _ in try await client.call(method, Nothing(), selection) }
            StandardOutput.say("\(result.discarded) discarded, \(result.remaining) remain.")
            if result.discarded == 0 { throw ExitCode(1) }
        }

        private static func id(_ text: String) throws -> UUID {
            guard let id = UUID(uuidString: text) else { throw ValidationError("\(text) is not an event's id.") }
            return id
        }
    }
}
