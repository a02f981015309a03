// Events about standing searches.

/// Searches of people have found something, or what they were told of is gone. On the streams of those people: each asks which of their searches it was.
public struct WantedFound: Codable, Hashable, Sendable {
    package var subject: Subject
    public var isGone: Bool

    package init(_ subject: Subject, isGone: Bool = false) {
        self.subject = subject
        self.isGone = isGone
    }
}

/// Time has done something to a search, or is about to. On the stream of its person.
public struct WantedReminder: Codable, Hashable, Sendable {
    public var wanted: WantedID
    public var person: PersonID
    public var about: Occasion
    /// How many things were found that were not told of one by one (`digest`).
    public var number: Int?

    public enum Occasion: String, Codable, CaseIterable, Hashable, Sendable {
        /// It ends in three days.
        case endsSoon
        case ended
        /// What it found beyond what is told at once.
        case digest
        /// Nobody has looked at the last ten things that it found: it is paused.
        case unseen
    }

    public init(wanted: WantedID, person: PersonID, about: Occasion, number: Int? = nil) {
        self.wanted = wanted
        self.person = person
        self.about = about
        self.number = number
    }
}

extension WantedFound: Event { package static let type = "wantedFound" }
extension WantedReminder: Event { package static let type = "wantedReminder" }
