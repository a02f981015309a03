package import Configuration

/// Where texts for telephones go. Notification sends them; others need to know only whether anybody does.
package enum TextSetting {
    /// A file that says how the operator's SMS gateway is asked.
    package static let gateway = "text.gateway"
    /// A folder in which texts become files instead.
    package static let folder = "text.folder"

    package static func isOn(_ config: ConfigReader) -> Bool {
        [gateway, folder].contains { config.string(forKey: ConfigKey(path: $0), default: "").isEmpty == false }
    }
}
