/// The newest of what a vertical has, on Home (`home/shelf`).
struct HomeShelf {
    /// The way to all of it.
    struct More {
        var href: String
        var icon: String?
        var text: String
    }

    /// What is said where there is nothing yet, with the ways to share something.
    struct Empty {
        struct Way {
            var href: String
            var text: String
            var isQuiet = false
        }

        var icon: String
        var title: String
        var text: String
        var ways: [Way]
        var several: Bool

        init(icon: String, title: String, text: String, ways: [Way]) {
            (self.icon, self.title, self.text, self.ways) = (icon, title, text, ways)
            several = ways.count > 1
        }
    }

    var id: String
    var heading: String
    var more: More?
    /// The template of a card.
    var card: String
    var cards: [any Sendable]
    /// Whether the cards stand beside each other.
    var isRow: Bool
    /// Nil where there are cards.
    var empty: Empty?

    /// The first of each vertical, then the second of each, and so on, without those that are not known now.
    static func inTurn(_ shelves: [[HomeShelf?]]) -> [HomeShelf] {
        let most = shelves.map(\.count).max() ?? 0
        return (0..<most).flatMap { turn in
            shelves.compactMap { turn < $0.count ? $0[turn] : nil }
        }
    }
}
