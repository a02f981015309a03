import WireProtocol

/// Delivers what waits in one channel: opens an order, writes what it asks for, and hands that over.
protocol Courier: Sendable {
    var channel: MailChannel { get }
    /// - Returns: False where nobody wants it any more: it was not delivered, and need not be.
    /// - Throws: `MailFailure`, or `MailProblem` for what can never be written.
    func deliver(_ mail: Mail) async throws -> Bool
}

struct MailCourier: Courier {
    let channel = MailChannel.mail
    let seal: MailSeal
    let composer: MailComposer
    let transport: any MailTransport
    let tokens: UnsubscribeTokens
    let notices: any MailedNotices

    func deliver(_ mail: Mail) async throws -> Bool {
        guard mail.template == InboxMail.template else {
            let order: MailOrder = try seal.order(of: mail)
            try await transport.deliver(try composer.message(for: order, id: mail.id, at: mail.acceptedAt))
            return true
        }
        // What was read while it waited needs no mail.
        var order: InboxMail = try seal.order(of: mail)
        let wanted = try await notices.stillWanted(order.lines.map(\.notice), of: order.person)
        order.lines.removeAll { !wanted.contains($0.notice) }
        guard !order.lines.isEmpty else { return false }
        try await transport.deliver(
            try composer.message(for: order, tokens: tokens, id: mail.id, at: mail.acceptedAt))
        return true
    }
}

struct TextCourier: Courier {
    let channel = MailChannel.text
    let seal: MailSeal
    let composer: TextComposer
    let transport: any TextTransport

    func deliver(_ mail: Mail) async throws -> Bool {
        let order: TextOrder = try seal.order(of: mail)
        try await transport.deliver(try composer.message(for: order, id: mail.id, at: mail.acceptedAt))
        return true
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
