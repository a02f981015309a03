import Messaging
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What can be asked about mails.
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
        let mail = Mail(
            id: context.id, template: order.template.rawValue, sealed: try seal.seal(order, of: context.id),
            attempts: 0, acceptedAt: now(), expiresAt: order.expiresAt)
        try await records.accept(mail, context)
    }

    func dead() async throws -> Page<DeadMail> { Page(items: try await records.dead()) }

    func retryDead(_ context: RequestContext) async throws -> MailRetry {
        MailRetry(retried: try await records.retryDead(now: now(), context))
    }
}
