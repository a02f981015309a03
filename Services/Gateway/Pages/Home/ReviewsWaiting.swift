import WireProtocol

/// The reviews that one may still write, of whatever two people complete together: rentals and spots. The latest come first.
struct ReviewsWaiting {
    private var encounters: [Encounter]
    /// Whether there are more than are said here.
    var areMore: Bool

    /// How many are said. Nobody has to write one, so what is due stays in sight.
    private static let most = 3

    /// Nil where auth is slow or away: the page can do without.
    static func asked(by visit: Visit) async -> ReviewsWaiting? {
        let query = EncounterQuery(limit: most + 1)
        let found = try? await visit.ask(AuthMethods.encounters, query, Nothing(), within: 1)
        return found.map {
            ReviewsWaiting(
                encounters: Array($0.items.prefix(most)), areMore: $0.items.count > most || $0.next != nil)
        }
    }

    func rows(in visit: Visit) -> [HomePage.Waiting] {
        encounters.map { encounter in
            HomePage.Waiting(
                href: encounter.reviewPath, icon: "star", name: encounter.title,
                status: visit.words[
                    "home.toReview",
                    [
                        "name": encounter.with.name,
                        "date": visit.moment(encounter.reviewsUntil, .date).text,
                    ]])
        }
    }
}

extension Encounter {
    /// Where a review of the other one is written.
    var reviewPath: String { "/people/\(with.id)/review?of=\(subject.written)" }
}
