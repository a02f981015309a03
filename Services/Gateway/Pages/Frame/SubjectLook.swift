import WireProtocol

/// How pages show subjects of a kind, and where these lead.
struct SubjectLook {
    var kind: SubjectKind
    /// Shown where it has no picture; nil of what is shown in words alone.
    var icon: String?
    /// Where it can be seen, before its id.
    var path: String
}

extension Visit {
    /// Those that have subjects of this kind; none has people, or what they write.
    func verticals(of kind: SubjectKind) -> [any Vertical] {
        verticals.filter { vertical in vertical.subjects.contains { $0.kind == kind } }
    }

    /// Nil of what has no page of its own.
    func look(of subject: Subject) -> SubjectLook? {
        verticals.flatMap { $0.subjects }.first { $0.kind == subject.kind }
    }

    /// Where it can be seen; nil of what has no page of its own.
    func href(of subject: Subject) -> String? {
        look(of: subject).map { "\($0.path)/\(subject.id)" }
    }
}

extension Subject {
    /// Where it can be reported.
    var reportHref: String { "/report?kind=\(kind.rawValue)&id=\(id)" }
}

extension SubjectKind {
    /// By which moderators and reporters read of it: all that is shared has one sentence.
    var reportWord: String { Self.shared.contains(self) ? Self.post.rawValue : rawValue }
}
