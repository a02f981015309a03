/// A link in a row of them or in a menu (`things/verticals`, `sharing/kinds`, `me/me`).
struct PageLink {
    var href: String
    /// A symbol of `icons.svg`.
    var icon: String
    var text: String
    var chosen = false
}
