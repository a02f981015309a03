import Messaging
import WireProtocol

/// Request → use case → reply.
struct NotificationEndpoint<Records: MailRecords>: Sendable {
    let mails: MailUseCases<Records>

    func answer(on router: inout RequestRouter) {
        router.on(NotificationMethods.sendMail) { [mails] _, order, context in
            try await mails.send(order, context)
            return Nothing()
        }
        router.on(NotificationMethods.deadMails) { [mails] _, _, _ in try await mails.dead() }
        router.on(NotificationMethods.retryDeadMails) { [mails] _, _, context in try await mails.retryDead(context) }
    }
}
