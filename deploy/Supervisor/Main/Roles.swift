import ArgumentParser
import FoundationEssentials
import Messaging
import ServiceKit
import WireProtocol

/// A role that is given at the command line, and what is said of it there.
protocol GivenRole: Sendable {
    static var role: PersonRole { get }
    static var command: String { get }
    /// `keeps order`
    static var does: String { get }
    static var doesNot: String { get }
    static var nobody: String { get }
    static var lets: String { get }
}

enum ModeratorRole: GivenRole {
    static let (role, command) = (PersonRole.moderator, "moderators")
    static let (does, doesNot, nobody) = ("keeps order", "does not keep order", "Nobody keeps order.")
    static let lets = "Lets somebody keep order."
}

enum OperatorRole: GivenRole {
    static let (role, command) = (PersonRole.operator, "operators")
    static let (does, doesNot) = ("sees how Kampong runs", "does not see how Kampong runs")
    static let nobody = "Nobody sees how Kampong runs, on its pages."
    static let lets = "Lets somebody see mails and what became of them, on the operator's pages."
}

/// `kampong moderators list|grant|revoke`, and the same for operators.
struct Roles<Given: GivenRole>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(
            commandName: Given.command, abstract: "Shows who \(Given.does), and says who may.",
            discussion: "A role holds from the next call on. Both are noted in the audit log.",
            subcommands: [RoleList<Given>.self, RoleGrant<Given>.self, RoleRevoke<Given>.self])
    }

    fileprivate static func change(_ who: String, isGranted: Bool, _ bus: OperatorBus) async throws {
        let found: [RoleHolder]
        do {
            found = try await bus.use { client, _ in
                try await client.call(
                    AuthMethods.changeRole, Nothing(), RoleChange(who: who, role: Given.role, isGranted: isGranted))
            }.items
        } catch let error as ServiceError where error.code == .notFound {
            throw ValidationError("Nobody here has that address, username or id.")
        }
        guard found.count == 1, found[0].roles.contains(Given.role) == isGranted else {
            for account in found { StandardOutput.say(line(account)) }
            throw ValidationError(isGranted ? notShown : several)
        }
        StandardOutput.say("\(line(found[0]))")
    }

    // Whoever joins says an address; it is nobody's before it is shown.
    private static var notShown: String {
        """
        Nobody has shown that this address is theirs; nothing was changed. They show it on their own page, with a code \
        that is sent there. Or say the id of one whom you know.
        """
    }
    private static var several: String {
        "Several accounts have that address; nothing was changed. Say the id of one."
    }

    fileprivate static func line(_ account: RoleHolder) -> String {
        let name = account.username.map { "\(account.name) (@\($0))" } ?? account.name
        let since = WireJSON.text(of: account.memberSince).prefix(10)
        let state = account.roles.contains(Given.role) ? Given.does : Given.doesNot
        let shown = account.emailVerified == false ? ", has not shown their address" : ""
        return "\(account.id): \(name), here since \(since)\(shown), \(state)"
    }
}

struct RoleList<Given: GivenRole>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "list", abstract: "Shows who \(Given.does).")
    }

    @OptionGroup var bus: OperatorBus

    func run() async throws {
        let page = try await bus.use { client, _ in
            try await client.call(AuthMethods.roleHolders, RoleQuery(role: Given.role), Nothing())
        }
        for account in page.items { StandardOutput.say(Roles<Given>.line(account)) }
        if page.items.isEmpty { StandardOutput.say(Given.nobody) }
    }
}

struct RoleGrant<Given: GivenRole>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "grant", abstract: Given.lets)
    }

    @OptionGroup var bus: OperatorBus
    @Argument(help: "An email address that they have shown, a username, or an account's id.") var who: String

    func run() async throws { try await Roles<Given>.change(who, isGranted: true, bus) }
}

struct RoleRevoke<Given: GivenRole>: AsyncParsableCommand {
    static var configuration: CommandConfiguration {
        CommandConfiguration(commandName: "revoke", abstract: "Takes that away again.")
    }

    @OptionGroup var bus: OperatorBus
    @Argument(help: "An email address, a username, or an account's id.") var who: String

    func run() async throws { try await Roles<Given>.change(who, isGranted: false, bus) }
}
