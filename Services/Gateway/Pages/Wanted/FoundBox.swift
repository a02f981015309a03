import PlainText
import WireProtocol

/// That one has looked for what a page shows (`wanted/found`), and the way to look no more. It is asked for where the address says that it was found
/// (`?found=yes`), as what one is told of it does.
struct FoundBox {
    struct Search {
        var sentence: String
        var action: String
    }

    /// Of several that found the same, so many are named.
    private static let most = 5

    var searches: [Search]
    /// The same page, to which one comes back.
    var page: String
    var key = Visit.newKey()

    /// Nil where no search of theirs has found it, or nobody can say.
    /// - Parameter page: its address.
    init?(of subject: Subject, on page: String, in visit: Visit) async {
        await self.init(await Self.finders(of: subject, in: visit), on: page, in: visit)
    }

    /// - Parameters:
    ///   - finders: the searches that have found it.
    ///   - names: what points are called, as far as the page knows that.
    init?(_ finders: [Wanted], on page: String, knowing names: [Position: String] = [:], in visit: Visit) async {
        guard !finders.isEmpty else { return nil }
        let sentences = await visit.sentences(of: finders.map(\.query), knowing: names)
        searches = zip(finders, sentences).map { Search(sentence: $1, action: "\($0.path)/found") }
        self.page = page
    }

    /// Which searches of theirs have found it: none where the address says nothing of that, or nobody can say.
    static func finders(of subject: Subject, in visit: Visit) async -> [Wanted] {
        guard visit.takesPart, visit.isFound else { return [] }
        let asked = WantedFinders(of: subject)
        let found = try? await visit.ask(MatchingMethods.wantedFinders, asked, Nothing(), within: 2)
        return Array((found?.items ?? []).filter { $0.state != .ended }.prefix(most))
    }

    /// What a link to a thing says that was found: when it is wanted, and that it was.
    static func query(from: String?, until: String?) -> String {
        guard let from = from?.nonEmpty, let until = until?.nonEmpty else { return "?found=yes" }
        return "?from=\(LocalPath.encoded(from))&until=\(LocalPath.encoded(until))&found=yes"
    }
}

extension Visit {
    /// Whether the address says that a search has found what is shown.
    var isFound: Bool { query("found") == "yes" }

    /// What a link to a thing says besides, as this address does: when it is wanted, and that it was found.
    var kept: String { isFound ? FoundBox.query(from: query("from"), until: query("until")) : period }
}
