// What keeps somebody from leaving the community: what auth asks before it erases an account, and the page that says so beforehand.

/// Something of somebody that is not over as far as the other one knows: what is lent, rented, or agreed on and begun.
package struct Commitment: Codable, Hashable, Sendable {
    package var subject: Subject
    /// What the person knows it by: what a thing was called when it was asked for.
    package var title: String

    package init(_ subject: Subject, title: String) {
        self.subject = subject
        self.title = title
    }
}

extension CommonMethods {
    /// Of one person, to those services that look on their behalf.
    package var commitments: Method<PersonReference, Nothing, Page<Commitment>> {
        Method("\(service).commitments", .query, peers: [.auth, .gateway], isForSuspended: true)
    }
}

extension ErrorCode {
    /// Something of the person's is in another one's hands, or the other way round: until that is over they don't go. What it is stands in the field
    /// errors: as field the kind (`rental`), as code the id, as message what it is called.
    public static let inHand: ErrorCode = "in_hand"
}

extension FieldError {
    /// As `inHand` names what keeps somebody.
    package init(_ commitment: Commitment) {
        self.init(commitment.subject.kind.rawValue, commitment.subject.id.description, commitment.title)
    }

    /// What `inHand` names.
    package var commitment: Commitment? {
        guard let kind = SubjectKind(rawValue: field), let id = ID<Subject>(code) else { return nil }
        return Commitment(Subject(kind: kind, id: id), title: message)
    }
}
