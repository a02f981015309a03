import ArgumentParser
import FoundationEssentials
import Messaging
import ServiceKit
import WireProtocol

/// `kampong mails list|retry`
struct Mails: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows mails and texts that were given up, or tries them again.",
        discussion: "To whom they are and what they say is shown to nobody.", subcommands: [List.self, Retry.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Shows mails and texts that were given up, the last first.")

        @OptionGroup var bus: OperatorBus
        @Flag(help: "As JSON, with everything that is known.") var json = false

        func run() async throws {
            let page = try await bus.use { client, _ in
                try await client.call(NotificationMethods.deadMails, Nothing(), Nothing())
            }
            if json {
                StandardOutput.write(try WireJSON.encode(page.items) + [UInt8(ascii: "\n")])
                return
            }
            for mail in page.items { StandardOutput.say(Self.line(mail)) }
            if page.items.isEmpty { StandardOutput.say("No mail and no text was given up.") }
        }

        private static func line(_ mail: DeadMail) -> String {
            let history = "\(mail.attempts) attempts, given up \(WireJSON.text(of: mail.endedAt))"
            let hope = mail.canRetry ? "" : " Its time is over."
            return "\(mail.id.uuidString.lowercased()): \(mail.template), \(history): \(mail.reason)\(hope)"
        }
    }

    struct Retry: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            abstract: "Tries those again whose time is not over.", discussion: "For when their cause is mended.")

        @OptionGroup var bus: OperatorBus

        func run() async throws {
            let result = try await bus.use { client, _ in
                try await client.call(NotificationMethods.retryDeadMails, Nothing(), Nothing())
            }
            StandardOutput.say("\(result.retried) wait for delivery again.")
        }
    }
}
