import FoundationEssentials

/// What a community allows. Times are in seconds.
struct ChatLimits: Hashable, Sendable {
    /// How many rooms a person may open within a day.
    var roomsPerDay = 100
    /// How many messages a person may send within a minute, in all rooms together.
    var messagesPerMinute = 60
    /// For how long a room is kept after it was closed, or after the last message in it.
    var retention: TimeInterval = 365 * 86_400

    static let day: TimeInterval = 86_400
    static let minute: TimeInterval = 60
    /// That somebody is writing is told once in so many seconds, for each person and room.
    static let typingPause: TimeInterval = 3
    /// For how long it is remembered what was said of a subject without a room; much longer than opening one takes.
    static let newsLifetime: TimeInterval = 86_400
    /// In how many rooms at the most, the newest of their open ones, it is told that somebody is suspended, or is so no more.
    static let roomsTold = 200
    /// By how much the clocks of two of our processes may differ.
    static let clockTolerance: TimeInterval = 10
}
