package import WireProtocol

/// Who hears what.
package struct StreamAudience: Sendable {
    package var person: PersonID?
    /// Limits public events to those that happened inside.
    package var box: BoundingBox?
    /// Whose doings are nothing for this person; nil for somebody who is not signed in.
    package var apart: PeopleApart?

    package init(person: PersonID? = nil, box: BoundingBox? = nil, apart: PeopleApart? = nil) {
        self.person = person
        self.box = box
        self.apart = apart
    }

    /// Of nobody who is signed in, as of those who belong nowhere.
    private var listenerCampus: String { apart?.campus ?? "" }

    package func admits(_ header: EventHeader) -> Bool {
        if let concerned = header.concerns, apart?.hides(concerned) == true { return false }
        switch header.audience {
        case .nobody: return false
        case .people(let people): return person.map { people.contains($0) } ?? false
        case .everyone:
            if let campus = header.campus, campus != listenerCampus { return false }
            guard let box, let location = header.location else { return true }
            return box.contains(location)
        }
    }
}
