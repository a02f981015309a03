import FoundationEssentials
package import Messaging
package import WireProtocol

/// Asks auth whether somebody moderates now, each time that their token says so (`RequestRouter`): it says so for minutes after the role was
/// taken.
package struct ModeratorCheck: Sendable {
    package typealias Ask = @Sendable () async throws -> Page<RoleHolder>
    private let ask: Ask

    package init(ask: @escaping Ask) { self.ask = ask }

    /// They are few, and come as one page.
    package init(asking client: RequestClient) {
        self.init {
            try await client.call(
                AuthMethods.roleHolders, RoleQuery(role: .moderator), Nothing(), deadline: Date() + 1)
        }
    }

    /// The caller as they are now. While auth is away, what moderators read they read as everybody.
    /// - Throws: what auth answers instead, where something is to be done.
    package func caller(_ caller: Caller, asking kind: MethodKind) async throws -> Caller {
        guard caller.roles.contains(.moderator) else { return caller }
        var now = caller
        do {
            let holders = try await ask().items
            if !holders.contains(where: { $0.id == caller.person }) { now.roles.remove(.moderator) }
        } catch let error as ServiceError {
            guard kind == .query else { throw error }
            now.roles.remove(.moderator)
        }
        return now
    }
}
