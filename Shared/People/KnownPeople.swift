package import WireProtocol

/// What is known of some people; of the others it says "Someone", so that an answer never fails for want of a name.
package struct KnownPeople: Hashable, Sendable {
    /// Who is not known, or not to be known.
    static let someone = PersonSummary.nameOfUnknown

    private var summaries: [PersonID: PersonSummary]

    package init(_ people: some Sequence<PersonSummary> = []) {
        summaries = Dictionary(people.map { ($0.id, $0) }) { _, later in later }
    }

    package subscript(id: PersonID) -> PersonSummary { summaries[id] ?? PersonSummary(id: id, name: Self.someone) }

    package func knows(_ id: PersonID) -> Bool { summaries[id] != nil }

    /// Those of whom nothing is known.
    package func unknown(among ids: Set<PersonID>) -> Set<PersonID> { ids.filter { !knows($0) } }

    package func adding(_ people: some Sequence<PersonSummary>) -> KnownPeople {
        var sum = self
        for person in people { sum.summaries[person.id] = person }
        return sum
    }
}
