import WireProtocol

// What somebody was shown and agrees to, beside what it is by now. No I/O and no clock.

extension RentalTerms {
    /// What is agreed to, and is no longer as it was said to be: each with what it is now as its code.
    func changes(since expected: RentalTerms) -> [FieldError] {
        func text(_ price: Money?) -> String { price.map { "\($0.amount) \($0.currency)" } ?? "0" }
        var changes: [FieldError] = []
        if price != expected.price { changes.append(.changed("price", text(price))) }
        if unit != expected.unit { changes.append(.changed("unit", unit.rawValue)) }
        if cancellation != expected.cancellation { changes.append(.changed("cancellation", cancellation.rawValue)) }
        if isInstant != expected.isInstant { changes.append(.changed("isInstant", "\(isInstant)")) }
        if zone != expected.zone { changes.append(.changed("zone", zone)) }
        return changes
    }
}

extension Agreement {
    /// What was shown to whoever acts, and is otherwise by now.
    /// - Parameter share: what the renter would owe after the act, in percent.
    func changes(since expected: RentalExpectation, owing share: Int) -> [FieldError] {
        var changes: [FieldError] = []
        let owed = (cost?.amount ?? 0) * share / 100
        if let shown = expected.state, shown != state { changes.append(.changed("state", state.rawValue)) }
        if let shown = expected.owed, shown != owed { changes.append(.changed("owed", String(owed))) }
        if let shown = expected.evidence, shown != evidence.count {
            changes.append(.changed("evidence", String(evidence.count)))
        }
        return changes
    }
}

extension FieldError {
    /// What a part of what was expected is now, as its code.
    fileprivate static func changed(_ field: String, _ value: String) -> FieldError {
        FieldError("expected.\(field)", value, "This has changed.")
    }
}
