import Messaging
import WireProtocol

/// Request → use case → reply.
struct NotificationEndpoint<Records: MailRecords>: Sendable {
    let mails: MailUseCases<Records>
    let operators: OperatorUseCases<Records>

    func answer(on router: inout RequestRouter) {
        router.on(NotificationMethods.sendMail) { _, order, context in
            try await mails.send(order, context)
            return Nothing()
        }
        router.on(NotificationMethods.sendText) { _, order, context in
            try await mails.send(order, context)
            return Nothing()
        }
        router.on(NotificationMethods.mails) { query, _, context in
            try await operators.mails(query, for: context.caller)
        }
        router.on(NotificationMethods.mail) { mail, _, context in try await operators.mail(mail.id, context) }
        router.on(NotificationMethods.retryMail) { mail, _, context in
            try await operators.retry(mail.id, context)
            return Nothing()
        }
        router.on(NotificationMethods.deadMails) { _, _, _ in try await mails.dead() }
        router.on(NotificationMethods.retryDeadMails) { _, _, context in try await mails.retryDead(context) }
    }
}
