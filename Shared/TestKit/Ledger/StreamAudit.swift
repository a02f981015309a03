import WireProtocol

/// A publisher's stream by itself: dense, complete, and in the order of what happened to each thing.
struct StreamAudit {
    let name: String
    let service: ServiceEvidence

    func findings() -> [Finding] { positions() + order() + repetitions() }

    private func positions() -> [Finding] {
        let unnumbered = service.events.filter { $0.position == nil }
        var findings = unnumbered.map { Finding(.stuck, "\(name) \($0.number) \($0.type) has no position") }
        let positions = service.events.compactMap(\.position).sorted()
        var expected = service.floor + 1
        for position in positions {
            if position > expected {
                findings.append(Finding(.gap, "\(name) has no events \(expected) to \(position - 1)"))
            }
            if position < expected { findings.append(Finding(.doubled, "\(name) has position \(position) twice")) }
            expected = position + 1
        }
        if expected != service.head + 1 {
            findings.append(Finding(.gap, "\(name) ends with event \(expected - 1), and its head is \(service.head)"))
        }
        return findings
    }

    /// Commands about one thing wait for each other's commit, so that the order of insertion is the order of their effects.
    private func order() -> [Finding] {
        var latest: [String: Int64] = [:]
        return service.events.compactMap { event in
            guard let position = event.position else { return nil }
            defer { latest[event.aggregate] = position }
            guard let before = latest[event.aggregate], before > position else { return nil }
            return Finding(.disorder, "\(name) \(position) \(event.type) of \(event.aggregate) comes before \(before)")
        }
    }

    private func repetitions() -> [Finding] {
        Dictionary(grouping: service.events, by: \.header.id).filter { $0.value.count > 1 }.map {
            Finding(.doubled, "\(name) has event \($0.key) \($0.value.count) times")
        }
    }
}
