import WireProtocol

// What pages say of a subject by its kind, and where they lead.

extension Subject {
    /// Where it can be seen; nil of what has no page of its own.
    var href: String? {
        switch kind {
        case .spot: "/spots/\(id)"
        // Which leads on to the list that it belongs to.
        case .thing: "/things/\(id)"
        case .rental: "/rentals/\(id)"
        case .post: "/posts/\(id)"
        default: nil
        }
    }

    /// Where it can be reported.
    var reportHref: String { "/report?kind=\(kind.rawValue)&id=\(id)" }
}

extension SubjectKind {
    /// Shown where it has no picture; nil of people.
    var icon: String? {
        switch self {
        case .spot: "park"
        case .thing: "car"
        default: nil
        }
    }

    /// By which moderators and reporters read of it: all that is shared has one sentence.
    var reportWord: String { Self.shared.contains(self) ? Self.post.rawValue : rawValue }
}
