import Configuration
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

    /// - Parameter public: What is otherwise known of us.
    init(_ config: ConfigReader, public: NotificationConfiguration) throws(ConfigurationProblem) {
        let otherwise = `public`.url.hasPrefix("https://") ? `public`.url : "mailto:\(`public`.sender.address)"
        contact = config.string(forKey: "push.contact", default: otherwise)
        let isMail = contact.hasPrefix("mailto:") && MailAddress(String(contact.dropFirst(7))) != nil
        let isPage = contact.hasPrefix("https://") && WebAddress(contact) != nil
        guard isMail || isPage else {
            throw .bad("push.contact", "is neither mailto:somebody@example.org nor an https:// address")
        }
        let hosts = config.string(forKey: "push.private.hosts", default: "").split(separator: ",").map {
            $0.filter { $0 != " " }
        }
        guard hosts.allSatisfy({ WebAddress("https://\($0)/")?.authority == $0 }) else {
            throw .bad("push.private.hosts", "is not a list of host:port")
        }
        reach = PushReach(privateHosts: Set(hosts))
    }
}
