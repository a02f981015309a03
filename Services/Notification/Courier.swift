import WireProtocol

/// Delivers what waits in one channel: opens an order, writes what it asks for, and hands that over.
protocol Courier: Sendable {
    var channel: MailChannel { get }
    /// - Throws: `MailFailure`, or `MailProblem` for what can never be written.
    func deliver(_ mail: Mail) async throws
}

struct MailCourier: Courier {
    let channel = MailChannel.mail
    let seal: MailSeal
    let composer: MailComposer
    let transport: any MailTransport

    func deliver(_ mail: Mail) async throws {
        let order: MailOrder = try seal.order(of: mail)
        try await transport.deliver(try composer.message(for: order, id: mail.id, at: mail.acceptedAt))
    }
}

struct TextCourier: Courier {
    let channel = MailChannel.text
    let seal: MailSeal
    let composer: TextComposer
    let transport: any TextTransport

    func deliver(_ mail: Mail) async throws {
        let order: TextOrder = try seal.order(of: mail)
        try await transport.deliver(try composer.message(for: order, id: mail.id, at: mail.acceptedAt))
    }
}

extension MailSeal {
    /// - Throws: `MailFailure`.
    fileprivate func order<Order: Decodable>(of mail: Mail) throws(MailFailure) -> Order {
        do {
            return try open(mail.sealed, of: mail.id)
        } catch {
            throw MailFailure(isFinal: true, reason: "It was sealed with a key that is no longer there.")
        }
    }
}
