import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import ServiceKit
import ServiceLifecycle
import WireProtocol

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
        let community = Community(database: database, campuses: configuration.campuses, asking: others)
        let people = community.people
        let book = PostgresNoticeBook(campuses: configuration.campuses, policy: policy)
        consumer = DurableConsumer(database: database)
        book.follow(community, on: consumer)
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
        services =
            community.snapshots + [
                mailer,
                NoticeRounds(
                    database: database, book: book, devices: PostgresDeviceStore.devices, logger: host.logger, now: now),
            ]
    }
}
