import Configuration
import People
import ServiceKit
import WireProtocol

/// What an operator can set, beside what every service reads.
struct ChatConfiguration: Sendable {
    var limits = ChatLimits()
    var campuses: CampusSeparation

    init(_ config: ConfigReader) throws(ConfigurationProblem) {
        limits.retention = try config.days("chat.keep.days", default: limits.retention)
        limits.roomsPerDay = try config.count("chat.rooms.perday", default: limits.roomsPerDay, most: 100_000)
        limits.messagesPerMinute = try config.count(
            "chat.messages.perminute", default: limits.messagesPerMinute, most: 100_000)
        campuses = CampusSeparation(isOn: try CampusDirectory(config).areApart)
    }
}
