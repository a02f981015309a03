#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Devices on which a person is told things while no page of ours is open: requests and replies of the notification service.

public typealias PushDeviceID = ID<PushDevice>

/// By whose servers a device is reached.
public enum PushKind: String, Codable, CaseIterable, Hashable, Sendable {
    /// A browser, by its vendor's server (RFC 8030).
    case webPush
    /// An app on Apple's systems.
    case apns
    /// An app on Android.
    case fcm
}

/// `GET /v1/push-key`: what a device needs to subscribe.
public struct PushSettings: Codable, Hashable, Sendable {
    /// Which kinds this installation can reach.
    public var kinds: [PushKind]
    /// What browsers take as `applicationServerKey`: a point of P-256, uncompressed, in base64url.
    public var applicationServerKey: String

    public init(kinds: [PushKind], applicationServerKey: String) {
        self.kinds = kinds
        self.applicationServerKey = applicationServerKey
    }
}

/// A device that is told things. Only its person sees it; keys and addresses are in no answer.
public struct PushDevice: Codable, Hashable, Sendable {
    public var id: PushDeviceID
    public var kind: PushKind
    /// What the device called itself, shortened, as that of a session.
    public var label: String?
    public var addedAt: Date
    /// When its server last took something for it.
    public var lastUsedAt: Date?
    /// Whether the session that asks has registered it.
    public var current: Bool

    public init(
        id: PushDeviceID, kind: PushKind, label: String? = nil, addedAt: Date, lastUsedAt: Date? = nil, current: Bool
    ) {
        self.id = id
        self.kind = kind
        self.label = label
        self.addedAt = addedAt
        self.lastUsedAt = lastUsedAt
        self.current = current
    }
}

public struct PushDeviceReference: Codable, Hashable, Sendable {
    public var id: PushDeviceID
    public init(id: PushDeviceID) { self.id = id }
}

/// `POST /v1/push-subscriptions`. Of a browser: its `PushSubscription.toJSON()` with the kind beside; of an app: its token.
public struct PushDeviceDraft: Codable, Hashable, Sendable {
    /// The keys of a browser (RFC 8291), in base64url.
    public struct Keys: Codable, Hashable, Sendable {
        public var p256dh: String
        public var auth: String

        public init(p256dh: String, auth: String) {
            self.p256dh = p256dh
            self.auth = auth
        }
    }

    public var kind: PushKind
    /// Of `webPush`.
    public var endpoint: String?
    public var keys: Keys?
    /// Of `apns` and `fcm`.
    public var token: String?

    public init(endpoint: String, keys: Keys) {
        kind = .webPush
        self.endpoint = endpoint
        self.keys = keys
    }

    public init(_ kind: PushKind, token: String) {
        self.kind = kind
        self.token = token
    }
}

extension NotificationMethods {
    package static let pushSettings = Method<Nothing, Nothing, PushSettings>("notification.pushSettings", .query)
    /// The caller's own, the latest first: ten at the most, so in one page.
    package static let devices = Method<Nothing, Nothing, Page<PushDevice>>("notification.devices", .query)
    /// The same device again is the same: it gets the keys, the session and the language of the newest, and is theirs who came last.
    /// An eleventh takes the place of the one that was not used for the longest time.
    package static let registerDevice = Method<DeviceParameters, PushDeviceDraft, PushDevice>(
        "notification.registerDevice", .command)
    /// One that is not the caller's is not there.
    package static let removeDevice = Method<PushDeviceReference, Nothing, Nothing>(
        "notification.removeDevice", .command)
}
