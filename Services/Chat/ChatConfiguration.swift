import Configuration
import People
import ServiceKit
import WireProtocol

/// What an operator can set, beside what every service reads.
struct ChatConfiguration: Sendable {
    var limits = ChatLimits()
    var campuses: CampusSeparation

    init(_ config: ConfigReader) throws(ConfigurationProblem) {
        let days = try config.count("chat.keep.days", default: Int(limits.retention / ChatLimits.day), most: 3660)
        limits.retention = Double(days) * ChatLimits.day
        limits.roomsPerDay = try config.count("chat.rooms.perday", default: limits.roomsPerDay)
        limits.messagesPerMinute = try config.count("chat.messages.perminute", default: limits.messagesPerMinute)
        campuses = CampusSeparation(isOn: try CampusDirectory(config).areApart)
    }
}

extension ConfigReader {
    fileprivate func count(
        _ key: String, default otherwise: Int, most: Int = 100_000
    ) throws(ConfigurationProblem) -> Int {
        let count = int(forKey: ConfigKey(path: key), default: otherwise)
        guard (1...most).contains(count) else { throw .bad(key, "is not a number from 1 to \(most)") }
        return count
    }
}
