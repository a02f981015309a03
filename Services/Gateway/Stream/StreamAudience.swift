package import WireProtocol

/// Who hears what. A pure decision.
package struct StreamAudience: Sendable {
    package var person: PersonID?
    /// Limits public events to those that happened inside.
    package var box: BoundingBox?

    package init(person: PersonID? = nil, box: BoundingBox? = nil) {
        self.person = person
        self.box = box
    }

    package func admits(_ header: EventHeader) -> Bool {
        switch header.audience {
        case .nobody: return false
        case .people(let people): return person.map { people.contains($0) } ?? false
        case .everyone:
            guard let box, let location = header.location else { return true }
            return box.contains(location)
        }
    }
}
