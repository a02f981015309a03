import Messaging
import People
import WireProtocol

/// Request → use case → reply, for the inbox.
struct InboxEndpoint: Sendable {
    let inbox: InboxUseCases
    let settings: NoticeSettingsUseCases
    /// What is kept of a person's devices, for their archive.
    let devices: PersonalSections.Section

    func answer(on router: inout RequestRouter) {
        router.on(NotificationMethods.inbox) { query, _, context in
            try await inbox.notices(query, for: context.caller)
        }
        router.on(NotificationMethods.inboxCount) { _, _, context in try await inbox.count(for: context.caller) }
        router.on(NotificationMethods.markRead) { _, mark, context in try await inbox.markRead(mark, context) }
        router.on(NotificationMethods.markSeen) { _, mark, context in try await inbox.markSeen(mark, context) }
        router.on(NotificationMethods.noteSeen) { _, _, context in
            try await inbox.noteSeen(context.caller)
            return Nothing()
        }
        router.on(NotificationMethods.unseen) { _, query, _ in try await inbox.unseen(query) }
        router.on(NotificationMethods.settings) { _, _, context in
            try await settings.settings(for: context.caller)
        }
        router.on(NotificationMethods.changeSettings) { _, wanted, context in
            try await settings.change(wanted, context)
        }
        router.on(NotificationMethods.unsubscription) { named, _, _ in
            try await settings.unsubscription(named.token)
        }
        router.on(NotificationMethods.unsubscribe) { named, _, context in
            try await settings.unsubscribe(named.token, context)
        }
        let own = PersonalSections(inbox.ownRecords + [devices])
        router.on(NotificationEvents.stream.methods.personalData) { query, _, _ in try await own.page(query) }
    }
}
