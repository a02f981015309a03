import DurableMessaging
import Messaging
import People
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The parts of the inbox, connected to each other.
struct Inbox: Sendable {
    let consumer: DurableConsumer
    let endpoint: InboxEndpoint
    let mailer: NoticeMailer
    let tokens: UnsubscribeTokens
    /// What is due for push, for whoever brings it to devices.
    let deliveries: PostgresDeliveryQueue
    /// What has to run for as long as the service does.
    let services: [any Service]

    /// - Parameter others: connected to `PeerRole.notification.publishers`.
    init(
        _ host: ServiceHost, _ configuration: NotificationConfiguration, _ database: Database, seal: MailSeal,
        asking others: RequestClient, devices: PostgresDeviceStore
    ) {
        let (policy, now) = (configuration.notices, { @Sendable in Date() })
        let people = PeopleProjection(database: database, campuses: configuration.campuses, asking: others)
        let blocks = BlockProjection(database: database, asking: others)
        let suspensions = SuspensionProjection(database: database, asking: others)
        let moderators = ModeratorProjection(database: database, asking: others)
        let book = PostgresNoticeBook(campuses: configuration.campuses, policy: policy)
        consumer = DurableConsumer(database: database)
        people.follow(on: consumer)
        blocks.follow(on: consumer)
        // Whose notices are seen follows from the table, at each look.
        suspensions.follow(on: consumer) { _, _ in }
        moderators.follow(on: consumer) { try await book.settleDisputes(for: $0, in: $1) }
        book.follow(on: consumer)
        devices.follow(on: consumer)

        tokens = UnsubscribeTokens(secret: host.sharedSecret)
        endpoint = InboxEndpoint(
            inbox: InboxUseCases(database: database, people: people, book: book, now: now),
            settings: NoticeSettingsUseCases(
                store: NoticeSettingsStore(database: database, policy: policy), tokens: tokens, people: people,
                // A page waits for it, and does without.
                contacts: { people in
                    try await others.call(
                        AuthMethods.contacts, ContactsQuery(people: people), Nothing(), deadline: Date() + 1
                    ).items
                }),
            devices: devices.ownRecords)
        mailer = NoticeMailer(
            database: database, campuses: configuration.campuses, policy: policy, seal: seal,
            contacts: { people in
                try await others.call(
                    AuthMethods.contacts, ContactsQuery(people: people), Nothing(), deadline: Date() + 5
                ).items
            }, logger: host.logger, now: now)
        deliveries = PostgresDeliveryQueue(database: database, people: people, policy: policy)
        services = [
            people.snapshot, blocks.snapshot, suspensions.snapshot, moderators.snapshot, mailer,
            NoticeRounds(
                database: database, book: book, devices: PostgresDeviceStore.devices, logger: host.logger, now: now),
        ]
    }
}
