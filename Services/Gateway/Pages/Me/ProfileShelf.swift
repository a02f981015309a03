/// What somebody shares of one vertical, on their page.
struct ProfileShelf {
    /// The sentence at its head, by its key: on one's own page, and on that of `{name}`.
    var ownHeading: String
    var heading: String
    var part: PagePart
    /// The template of further rows alone, where htmx asks for them.
    var rows: String?
}
