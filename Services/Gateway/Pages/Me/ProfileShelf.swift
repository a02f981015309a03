import WireProtocol

/// What of a vertical somebody shares, as their page asks for it and calls it.
struct ProfileShelf {
    var kind: SubjectKind
    /// How many at once; nil leaves it to whoever has them.
    var limit: Int?
    /// The parameter of the page's address in which the cursor is.
    var cursor: String
    /// The sentence at its head, by its key: on one's own page, and on that of `{name}`.
    var ownHeading: String
    var heading: String
    /// The template of further rows alone, where htmx asks for them.
    var rows: String?
}
