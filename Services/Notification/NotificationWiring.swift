import DurableMessaging
import FoundationEssentials
import Messaging
import People
import Postgres
import Sentences
package import ServiceKit
package import ServiceLifecycle
import WebClient
import WireProtocol

/// Who is connected to whom.
package enum NotificationWiring {
    /// The process's whole life.
    package static func run() async {
        await ServiceHost.run("notification", role: .notification, migrating: { try await migrate($0) }) {
            try await services($0)
        }
    }

    /// Brings the schema up to date, as its owner.
    package static func migrate(_ host: MigrationHost) async throws {
        try await Database.migrate(
            config: host.config, schema: "notification", migrations: NotificationSchema.migrations,
            reactor: host.reactor, logger: host.logger)
    }

    /// Everything that runs, the first being the last to stop.
    package static func services(_ host: ServiceHost) async throws -> [any Service] {
        let configuration = try NotificationConfiguration(host.config)
        let transport: any MailTransport
        switch configuration.delivery {
        case .folder(let folder): transport = FolderTransport(folder: folder, reactor: host.reactor)
        case .smtp(let settings): transport = SMTPTransport(settings: settings, reactor: host.reactor)
        }
        let templates = ServiceResources.directory(of: "NotificationService") + "/Templates"
        let notices = try NoticeCatalogue(in: ServiceResources.directory(of: "Sentences") + "/Notices")
        let composer = try MailComposer(
            sender: configuration.sender, url: configuration.url, community: configuration.community, notices: notices,
            folder: templates)

        let database = try await Database.open(
            config: host.config, service: host.name, schema: "notification", migrations: NotificationSchema.migrations,
            reactor: host.reactor, digestKey: host.sharedSecret, plansOnce: true, logger: host.logger)
        host.readiness.require("database") { _ = try await database.read("SELECT 1") }
        let store = PostgresMailStore(database: database)
        let seal = MailSeal(secret: host.sharedSecret)

        var router = RequestRouter(service: host.name)
        let others = try host.requestClient(to: PeerRole.notification.publishers)
        let operators = OperatorUseCases(
            records: store, access: .asking(others), folders: folders(configuration, host), now: { Date() })
        NotificationEndpoint(mails: MailUseCases(records: store, seal: seal) { Date() }, operators: operators)
            .answer(on: &router)
        let devices = PostgresDeviceStore(database: database, seal: DeviceSeal(secret: host.sharedSecret))
        let inbox = Inbox(host, configuration, database, seal: seal, asking: others, devices: devices)
        inbox.endpoint.answer(on: &router)
        let push = try await PushParts(
            try PushConfiguration(host.config, public: configuration), devices,
            PushComposer(community: configuration.community, notices: notices), deliveries: inbox.deliveries, host)
        push.useCases.answer(on: &router)
        DeadPushUseCases(
            database: database, access: .asking(others), lifetime: configuration.notices.pushLifetime, now: { Date() }
        ).answer(on: &router)
        database.answer(on: &router, publishing: NotificationEvents.stream, consumer: inbox.consumer)
        let publisher = try host.eventPublisher(of: NotificationEvents.stream) { try await database.head() }
        func sender(_ courier: some Courier, _ policy: MailPolicy) -> any Service {
            MailSender(queue: store, courier: courier, policy: policy, logger: host.logger, now: { Date() })
        }
        var services = database.background(publishingWith: publisher) + [others]
        services.append(
            try host.eventSubscriber(to: PeerRole.notification.publishers, client: others, consumer: inbox.consumer))
        services += inbox.services
        let mails = MailCourier(
            seal: seal, composer: composer, transport: transport, tokens: inbox.tokens, notices: inbox.mailer)
        services.append(sender(mails, MailPolicy()))
        if let texts = configuration.texts {
            let composer = try TextComposer(community: configuration.community, folder: templates)
            services.append(
                sender(TextCourier(seal: seal, composer: composer, transport: textTransport(texts, host)), .texts))
        }
        return services + [push.sender, try host.requestServer(router)]
    }

    /// Where delivered mails and texts lie, for operators to look at.
    private static func folders(_ configuration: NotificationConfiguration, _ host: ServiceHost)
        -> [MailChannel: any MailShelf]
    {
        var folders: [MailChannel: any MailShelf] = [:]
        if case .folder(let path) = configuration.delivery {
            folders[.mail] = DropFolder(path: path, reactor: host.reactor)
        }
        if case .folder(let path) = configuration.texts {
            folders[.text] = DropFolder(path: path, reactor: host.reactor)
        }
        return folders
    }

    private static func textTransport(_ texts: NotificationConfiguration.Texts, _ host: ServiceHost)
        -> any TextTransport
    {
        switch texts {
        case .folder(let path): TextFolder(folder: DropFolder(path: path, reactor: host.reactor))
        case .gateway(let settings):
            SMSGateway(settings: settings, web: WebClient(name: "sms", atOnce: MailPolicy.texts.atOnce))
        }
    }
}

extension OperatorAccess {
    /// - Parameter client: connected to auth.
    fileprivate static func asking(_ client: RequestClient) -> OperatorAccess {
        OperatorAccess(
            require: { caller in
                _ = try await client.call(
                    AuthMethods.operatorAccess, Nothing(), Nothing(), as: caller, deadline: Date() + 2)
            },
            note: { act, caller, id in
                _ = try await client.call(
                    AuthMethods.noteOperatorAct, Nothing(), act, as: caller, id: id, deadline: Date() + 2)
            })
    }
}
