package import WireProtocol

/// What a service keeps about somebody, kind by kind and page by page, as `CommonMethods.personalData` asks for it.
///
/// Every service that keeps something answers by one of these, and has `Capability.personalData`.
package struct PersonalSections: Sendable {
    /// One kind of record. `page` answers what follows a cursor of its own; nil is the beginning.
    package struct Section: Sendable {
        let kind: String
        let page: @Sendable (PersonID, String?) async throws -> Page<PersonalRecord>

        package init(
            _ kind: String, page: @escaping @Sendable (PersonID, String?) async throws -> Page<PersonalRecord>
        ) {
            self.kind = kind
            self.page = page
        }
    }

    private let sections: [Section]

    package init(_ sections: [Section]) { self.sections = sections }

    /// - Throws: `invalid` for a cursor that is none.
    package func page(_ query: PersonalDataQuery) async throws -> Page<PersonalRecord> {
        let (number, cursor) = try place(query.cursor)
        guard number < sections.count else { return Page(items: []) }
        let found = try await sections[number].page(query.person, cursor)
        if let next = found.next { return Page(items: found.items, next: "\(sections[number].kind)/\(next)") }
        let isLast = number + 1 == sections.count
        return Page(items: found.items, next: isLast ? nil : sections[number + 1].kind + "/")
    }

    /// A cursor names a kind and a place in it, empty for its beginning.
    private func place(_ cursor: String?) throws(ServiceError) -> (Int, String?) {
        guard let cursor else { return (0, nil) }
        let parts = cursor.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, let number = sections.firstIndex(where: { $0.kind == parts[0] }) else {
            throw .invalid([FieldError("cursor", "unknown", "This is no cursor of this list.")])
        }
        return (number, parts[1].isEmpty ? nil : String(parts[1]))
    }
}
