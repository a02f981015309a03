import Messaging
import PlainText
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What can be asked about mails and texts.
struct MailUseCases<Records: MailRecords>: Sendable {
    let records: Records
    let seal: MailSeal
    let now: @Sendable () -> Date

    /// Takes a mail on. It is in the queue when this returns, and waits there for the sender.
    /// - Throws: `invalid` where it could never be delivered.
    func send(_ order: MailOrder, _ context: RequestContext) async throws {
        guard MailAddress(order.to) != nil else {
            throw ServiceError.invalid([FieldError("to", "email", "This is no address that mail can be sent to.")])
        }
        try await accept(.mail, order.template.rawValue, order, until: order.expiresAt, context)
    }

    /// The same for a text.
    func send(_ order: TextOrder, _ context: RequestContext) async throws {
        guard order.to.isWhole(/\+[1-9][0-9]{6,14}/) else {
            throw ServiceError.invalid([FieldError("to", "phone", "This is no number that texts can be sent to.")])
        }
        try await accept(.text, order.template.rawValue, order, until: order.expiresAt, context)
    }

    private func accept(
        _ channel: MailChannel, _ template: String, _ order: some Encodable, until expiresAt: Date,
        _ context: RequestContext
    ) async throws {
        let mail = Mail(
            id: context.id, channel: channel, template: template, sealed: try seal.seal(order, of: context.id),
            attempts: 0, acceptedAt: now(), expiresAt: expiresAt)
        try await records.accept(mail, context)
    }

    func dead() async throws -> Page<DeadMail> { Page(items: try await records.dead()) }

    func retryDead(_ context: RequestContext) async throws -> MailRetry {
        MailRetry(retried: try await records.retryDead(now: now(), context))
    }
}
