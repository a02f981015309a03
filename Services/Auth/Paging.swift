import WireProtocol

/// What lists have in common.
enum Paging {
    static let unknownCursor = ServiceError.invalid([
        FieldError("cursor", "unknown", "This is no cursor of this list.")
    ])

    static func limit(_ given: Int?) throws(ServiceError) -> Int {
        let errors = FieldRules.errors(inLimit: given)
        guard errors.isEmpty else { throw .invalid(errors) }
        return given ?? PageSize.usual
    }

    static func moment(_ cursor: String?) throws(ServiceError) -> MomentCursor? {
        guard let cursor else { return nil }
        guard let moment = MomentCursor(cursor) else { throw unknownCursor }
        return moment
    }
}
