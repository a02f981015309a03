internal import ArgumentParser
internal import Messaging
internal import ServiceKit
internal import WireProtocol

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// `kampong moderators list|grant|revoke`
struct Moderators: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Shows who keeps order, and says who may.",
        discussion: "A role holds from the next call on. Both are noted in the audit log.",
        subcommands: [List.self, Grant.self, Revoke.self])

    struct List: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Shows who keeps order.")

        @OptionGroup var bus: OperatorBus

        func run() async throws {
            let page = try await bus.use { client, _ in
                try await client.call(AuthMethods.moderators, Nothing(), Nothing())
            }
            for account in page.items { StandardOutput.say(line(account)) }
            if page.items.isEmpty { StandardOutput.say("Nobody keeps order.") }
        }
    }

    struct Grant: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Lets somebody keep order.")

        @OptionGroup var bus: OperatorBus
        @Argument(help: "An email address, a username, or an account's id.") var who: String

        func run() async throws { try await change(who, isModerator: true, bus) }
    }

    struct Revoke: AsyncParsableCommand {
        static let configuration = CommandConfiguration(abstract: "Takes that away again.")

        @OptionGroup var bus: OperatorBus
        @Argument(help: "An email address, a username, or an account's id.") var who: String

        func run() async throws { try await change(who, isModerator: false, bus) }
    }

    private static func change(_ who: String, isModerator: Bool, _ bus: OperatorBus) async throws {
        let found: [ModeratorAccount]
        do {
            found = try await bus.use { client, _ in
                try await client.call(
                    AuthMethods.changeModerator, Nothing(), ModeratorChange(who: who, isModerator: isModerator))
            }.items
        } catch let error as ServiceError where error.code == .notFound {
            throw ValidationError("Nobody here has that address, username or id.")
        }
        guard found.count == 1 else {
            for account in found { StandardOutput.say(line(account)) }
            // Whoever signs up says an address; it is nobody's before it is verified.
            throw ValidationError("Several accounts have that address or name; nothing was changed. Say the id of one.")
        }
        StandardOutput.say("\(line(found[0]))")
    }

    private static func line(_ account: ModeratorAccount) -> String {
        let name = account.username.map { "\(account.name) (@\($0))" } ?? account.name
        let since = WireJSON.text(of: account.memberSince).prefix(10)
        return
            "\(account.id): \(name), here since \(since), \(account.isModerator ? "keeps order" : "does not keep order")"
    }
}
