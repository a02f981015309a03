/// What there is at one moment: rows say what the events say that are there, however much happens while it is read.
struct LedgerMoment: Sendable {
    var services: [String: ServiceEvidence]
    /// JSON of the rows that subjects ask for, by their names.
    var rows: [String: [String]]
    /// In the order of time.
    var taps: [TappedChange]

    /// Whether nobody had anything left to number or to take.
    func isSettled(among subscriptions: [(subscriber: String, publisher: String)]) -> Bool {
        guard services.values.allSatisfy({ $0.events.allSatisfy { $0.position != nil } }) else { return false }
        return subscriptions.allSatisfy { subscriber, publisher in
            guard let stream = services[publisher] else { return true }
            return stream.isTaken(by: services[subscriber]?.offsets[publisher])
        }
    }
}
