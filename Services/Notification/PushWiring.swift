import FoundationEssentials
import Messaging
import ServiceKit
import WebClient
import WireProtocol

/// What brings notices to devices, put together.
struct PushParts: Sendable {
    let useCases: DeviceUseCases
    let sender: PushSender

    /// - Parameter deliveries: Where the inbox lays down what is due.
    init(
        _ configuration: PushConfiguration, _ devices: PostgresDeviceStore, _ composer: PushComposer,
        deliveries: any DeliveryQueue, _ host: ServiceHost
    ) async throws {
        let policy = PushPolicy()
        let vapid = VAPID(key: try await devices.pushKey(now: Date()), contact: configuration.contact)
        let web = WebClient(name: "push", atOnce: policy.atOnce)
        var transports: [PushKind: any PushTransport] = [
            .webPush: WebPushTransport(vapid: vapid, reach: configuration.reach, web: web)
        ]
        transports[.apns] = configuration.apns.map { APNSTransport(settings: $0, web: web) }
        transports[.fcm] = configuration.fcm.map { FCMTransport(settings: $0, web: web) }
        useCases = DeviceUseCases(
            store: devices,
            settings: PushSettings(
                kinds: PushKind.allCases.filter { transports[$0] != nil }, applicationServerKey: vapid.publicKey),
            reach: configuration.reach, web: WebClient(name: "push-look", atOnce: 4), policy: policy.devices,
            now: { Date() })
        sender = PushSender(
            queue: deliveries, devices: devices, seal: devices.seal,
            composer: composer, transports: transports, policy: policy, logger: host.logger, now: { Date() })
    }
}

extension DeviceUseCases {
    /// Request → use case → reply.
    func answer(on router: inout RequestRouter) {
        router.on(NotificationMethods.pushSettings) { _, _, _ in settings }
        router.on(NotificationMethods.devices) { _, _, context in try await devices(for: context.caller) }
        router.on(NotificationMethods.registerDevice) { device, draft, context in
            try await register(draft, from: device, context)
        }
        router.on(NotificationMethods.removeDevice) { device, _, context in
            try await remove(device.id, context)
            return Nothing()
        }
    }
}
