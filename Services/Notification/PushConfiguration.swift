import Configuration
import Crypto
import PlainText
import ServiceKit
import WebClient

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What an operator can set about push.
struct PushConfiguration: Sendable {
    /// Whom the operators of browsers' servers may ask about us.
    var contact: String
    var reach: PushReach
    /// Nil where no app is reached by them.
    var apns: APNSSettings?
    var fcm: FCMSettings?

    /// - Parameter public: What is otherwise known of us.
    init(_ config: ConfigReader, public: NotificationConfiguration) throws(ConfigurationProblem) {
        let otherwise = `public`.url.hasPrefix("https://") ? `public`.url : "mailto:\(`public`.sender.address)"
        let given = config.string(forKey: "push.contact", default: "")
        contact = given.isEmpty ? otherwise : given
        let isMail = contact.hasPrefix("mailto:") && MailAddress(String(contact.dropFirst(7))) != nil
        let isPage = contact.hasPrefix("https://") && WebAddress(contact) != nil
        guard isMail || isPage else {
            throw .bad("push.contact", "is neither mailto:somebody@example.org nor an https:// address")
        }
        let hosts = config.string(forKey: "push.private.hosts", default: "").split(separator: ",").map {
            String($0.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
        guard hosts.allSatisfy({ WebAddress("https://\($0)/")?.authority == $0 }) else {
            throw .bad("push.private.hosts", "is not a list of host:port")
        }
        reach = PushReach(privateHosts: Set(hosts))
        apns = try Self.apns(config)
        fcm = try Self.fcm(config)
    }

    private static func apns(_ config: ConfigReader) throws(ConfigurationProblem) -> APNSSettings? {
        guard let (path, bytes) = try file("push.apns.keyfile", config) else { return nil }
        guard let key = try? P256.Signing.PrivateKey(pemRepresentation: String(decoding: bytes, as: UTF8.self)) else {
            throw .bad("push.apns.keyfile", "names \(path), which is no key of Apple's (AuthKey_….p8)")
        }
        var settings = APNSSettings(
            key: key, keyID: try config.required("push.apns.keyid"), team: try config.required("push.apns.team"),
            topic: try config.required("push.apns.topic"))
        settings.url = try url("push.apns.url", settings.url, config)
        settings.certificates = config.string(forKey: "push.certificates")
        for (name, value) in [("keyid", settings.keyID), ("team", settings.team), ("topic", settings.topic)]
        where !value.isWhole(/[A-Za-z0-9.-]{1,200}/) {
            throw .bad("push.apns.\(name)", "has other characters than letters, digits, dots and hyphens")
        }
        return settings
    }

    private static func fcm(_ config: ConfigReader) throws(ConfigurationProblem) -> FCMSettings? {
        guard let (path, bytes) = try file("push.fcm.accountfile", config) else { return nil }
        guard var settings = try? FCMSettings(Array(bytes)) else {
            throw .bad("push.fcm.accountfile", "names \(path), which is no service account of Firebase")
        }
        settings.url = try url("push.fcm.url", settings.url, config)
        settings.certificates = config.string(forKey: "push.certificates")
        return settings
    }

    /// What a setting names; nil where it is not set.
    private static func file(_ key: String, _ config: ConfigReader) throws(ConfigurationProblem) -> (String, Data)? {
        let path = config.string(forKey: ConfigKey(path: key), default: "")
        guard !path.isEmpty else { return nil }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw .bad(key, "names \(path), which cannot be read")
        }
        return (path, bytes)
    }

    private static func url(_ key: String, _ otherwise: String, _ config: ConfigReader) throws(ConfigurationProblem)
        -> String
    {
        var url = config.string(forKey: ConfigKey(path: key), default: "")
        if url.isEmpty { url = otherwise }
        while url.hasSuffix("/") { url.removeLast() }
        guard WebAddress(url) != nil else { throw .bad(key, "is no https:// address") }
        return url
    }
}
