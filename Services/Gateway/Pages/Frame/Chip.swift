/// A way to somewhere else, in a row of them at the head of a page (`things/verticals`, `sharing/kinds`).
struct Chip {
    var href: String
    /// A symbol of `icons.svg`.
    var icon: String
    var text: String
    var chosen = false
}
