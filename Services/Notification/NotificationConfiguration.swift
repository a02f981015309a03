import Configuration
import People
import ServiceKit
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// What an operator can set, beside what every service reads.
struct NotificationConfiguration: Sendable {
    enum Delivery: Hashable, Sendable {
        case folder(String)
        case smtp(SMTPSettings)
    }

    enum Texts: Hashable, Sendable {
        case folder(String)
        case gateway(SMSGatewaySettings)
    }

    var community: String
    /// Where the web pages are, without a slash at the end.
    var url: String
    var sender: MailSenderName
    var delivery: Delivery
    /// Nil where no texts are sent.
    var texts: Texts?
    var notices: NoticePolicy
    var campuses: CampusSeparation

    init(_ config: ConfigReader) throws(ConfigurationProblem) {
        community = try config.communityName()
        var url = try config.required("public.url")
        while url.hasSuffix("/") { url.removeLast() }
        self.url = url
        delivery = try Self.delivery(config)
        var from = config.string(forKey: "mail.from", default: "")
        if from.isEmpty {
            guard case .folder = delivery else { throw .missing("mail.from") }
            from = "kampong@localhost"
        }
        guard MailAddress(from) != nil, from.utf8.allSatisfy({ $0 < 0x80 }) else {
            throw .bad("mail.from", "is not an email address")
        }
        sender = MailSenderName(name: community, address: from)
        texts = try Self.texts(config)
        notices = try Self.notices(config)
        campuses = CampusSeparation(isOn: try CampusDirectory(config).areApart)
    }

    private static func notices(_ config: ConfigReader) throws(ConfigurationProblem) -> NoticePolicy {
        var policy = NoticePolicy()
        func number(_ key: String, _ range: ClosedRange<Int>, default otherwise: TimeInterval)
            throws(ConfigurationProblem) -> TimeInterval
        {
            let number = config.int(forKey: ConfigKey(path: key), default: Int(otherwise))
            guard range.contains(number) else {
                throw .bad(key, "is not a number from \(range.lowerBound) to \(range.upperBound)")
            }
            return TimeInterval(number)
        }
        policy.retention = try number("notices.keep.days", 1...3660, default: policy.retention / 86_400) * 86_400
        policy.messageDelay = try number("notices.message.delay.seconds", 0...3600, default: policy.messageDelay)
        policy.mailDelay = try number("notices.mail.delay.seconds", 0...86_400, default: policy.mailDelay)
        policy.mailAway = try number("notices.mail.away.seconds", 0...86_400, default: policy.mailAway)
        let zone = config.string(forKey: "community.timezone", default: "")
        if !zone.isEmpty { policy.timeZone = zone }
        guard let clock = WallClock(named: policy.timeZone) else {
            throw .bad("community.timezone", "is not the name of a time zone, such as Europe/Berlin")
        }
        policy.clock = clock
        return policy
    }

    private static func texts(_ config: ConfigReader) throws(ConfigurationProblem) -> Texts? {
        let path = config.string(forKey: ConfigKey(path: TextSetting.gateway), default: "")
        guard !path.isEmpty else {
            let folder = config.string(forKey: ConfigKey(path: TextSetting.folder), default: "")
            return folder.isEmpty ? nil : .folder(folder)
        }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw .bad(TextSetting.gateway, "names \(path), which cannot be read")
        }
        let secret = try firstLine(of: "text.secretfile", config)
        do throws(SMSGatewaySettings.Problem) {
            return .gateway(
                try SMSGatewaySettings(
                    Array(bytes), secret: secret, certificates: config.string(forKey: "text.certificates")))
        } catch {
            throw .bad(TextSetting.gateway, "names \(path), which \(error.sentence)")
        }
    }

    private static func delivery(_ config: ConfigReader) throws(ConfigurationProblem) -> Delivery {
        guard let url = config.string(forKey: "mail.smtp.url"), !url.isEmpty else {
            return .folder(try config.required("mail.folder"))
        }
        guard url.hasPrefix("smtp://") || url.hasPrefix("smtps://"),
            url.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }), !url.contains("@")
        else {
            throw .bad(
                "mail.smtp.url", "is not smtp://host:port or smtps://host:port (the user is a setting of its own)")
        }
        var settings = SMTPSettings(url: url)
        guard
            let security = SMTPSettings.Security(rawValue: config.string(forKey: "mail.smtp.tls", default: "required"))
        else { throw .bad("mail.smtp.tls", "is neither required nor none") }
        settings.security = security
        settings.certificates = config.string(forKey: "mail.smtp.certificates")
        settings.user = config.string(forKey: "mail.smtp.user")
        settings.password = try firstLine(of: "mail.smtp.passwordfile", config)
        guard (settings.user == nil) == (settings.password == nil) else {
            throw .missing(settings.user == nil ? "mail.smtp.user" : "mail.smtp.passwordfile")
        }
        return .smtp(settings)
    }

    /// Of the file that a setting names; nil where there is none, or nothing in it.
    private static func firstLine(of key: String, _ config: ConfigReader) throws(ConfigurationProblem) -> String? {
        let path = config.string(forKey: ConfigKey(path: key), default: "")
        guard !path.isEmpty else { return nil }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw .bad(key, "names \(path), which cannot be read")
        }
        return String(decoding: bytes, as: UTF8.self).split(whereSeparator: \.isNewline).first.map(String.init)
    }
}
