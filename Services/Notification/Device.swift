import Crypto
import PlainText
import WebClient
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// How a device is reached. Whoever knows it may find out when its person is told something, so it is kept sealed.
enum PushTarget: Codable, Hashable, Sendable {
    case webPush(endpoint: String, keys: PushKeys)
    case apns(token: String)
    case fcm(token: String)

    var kind: PushKind {
        switch self {
        case .webPush: .webPush
        case .apns: .apns
        case .fcm: .fcm
        }
    }

    /// The same for the same device, whatever keys it has.
    var address: String {
        switch self {
        case .webPush(let endpoint, _): "webPush \(endpoint)"
        case .apns(let token): "apns \(token)"
        case .fcm(let token): "fcm \(token)"
        }
    }

    /// Whose server it is: where that hangs, it does for all its devices.
    var server: String {
        switch self {
        case .webPush(let endpoint, _): WebAddress(endpoint, plain: true)?.authority ?? endpoint
        case .apns, .fcm: kind.rawValue
        }
    }

    /// What a draft says; the address of a browser's server is looked at elsewhere (`PushReach`).
    /// - Throws: `invalid`.
    init(_ draft: PushDeviceDraft) throws(ServiceError) {
        switch draft.kind {
        case .webPush:
            guard let endpoint = draft.endpoint else { throw Self.missing("endpoint") }
            guard let given = draft.keys else { throw Self.missing("keys") }
            guard let point = Self.bytes(given.p256dh), let secret = Self.bytes(given.auth),
                let keys = PushKeys(point: point, secret: secret)
            else { throw .invalid([FieldError("keys", "keys", "These are no keys of a browser.")]) }
            self = .webPush(endpoint: endpoint, keys: keys)
        case .apns, .fcm:
            guard let token = draft.token else { throw Self.missing("token") }
            let isApple = draft.kind == .apns
            guard token.isWhole(isApple ? /[0-9a-fA-F]{64,200}/ : /[A-Za-z0-9_:.-]{20,4096}/) else {
                throw .invalid([FieldError("token", "token", "This is no token of an app.")])
            }
            self = isApple ? .apns(token: token.lowercased()) : .fcm(token: token)
        }
    }

    /// Browsers leave out the padding, and some libraries do not.
    private static func bytes(_ text: String) -> [UInt8]? {
        Base64URL.decode(text.prefix(200).prefix { $0 != "=" })
    }

    private static func missing(_ field: String) -> ServiceError {
        .invalid([FieldError(field, "missing", "This is missing.")])
    }
}

/// What is to be kept of a device that registers.
struct DeviceDraft: Sendable {
    let target: PushTarget
    let person: PersonID
    let session: SessionID?
    let label: String?
    let language: String
    let at: Date
}

struct DevicePolicy: Hashable, Sendable {
    /// Devices of one person; one more takes the place of the one that was not used for the longest time.
    var most = 10
    /// A device on which nobody has opened a page for so long is forgotten: pages register it anew each time that they are opened.
    var unseen: TimeInterval = 90 * 86_400
}

/// Keeps how devices are reached, and our own key, of no use to whoever reads the tables or a backup of them.
struct DeviceSeal: Sendable {
    private let key: SymmetricKey
    private let digestKey: SymmetricKey

    /// - Parameter secret: of this service, and kept by it.
    init(secret: [UInt8]) {
        func derived(_ purpose: String) -> SymmetricKey {
            HKDF<SHA256>.deriveKey(
                inputKeyMaterial: SymmetricKey(data: secret), info: Array("kampong notification \(purpose) 1".utf8),
                outputByteCount: 32)
        }
        (key, digestKey) = (derived("devices"), derived("device addresses"))
    }

    /// By what the same device is found again.
    func digest(_ address: String) -> [UInt8] {
        Array(HMAC<SHA256>.authenticationCode(for: Array(address.utf8), using: digestKey))
    }

    func seal(_ target: PushTarget) throws -> [UInt8] {
        try seal(WireJSON.encode(target), as: digest(target.address))
    }

    /// - Throws: where it was sealed for another device, or by a key that is no longer there.
    func open(_ sealed: [UInt8], of digest: [UInt8]) throws -> PushTarget {
        try WireJSON.decode(from: open(sealed, as: digest))
    }

    /// - Parameter name: What it is; it opens as nothing else.
    func seal(_ bytes: [UInt8], as name: [UInt8]) throws -> [UInt8] {
        let box = try AES.GCM.seal(bytes, using: key, authenticating: name)
        return Array(box.nonce) + Array(box.ciphertext) + Array(box.tag)
    }

    func open(_ sealed: [UInt8], as name: [UInt8]) throws -> [UInt8] {
        Array(try AES.GCM.open(.init(combined: sealed), using: key, authenticating: name))
    }
}
