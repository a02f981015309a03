import FoundationEssentials
import WireProtocol

/// Compares what was acknowledged with what is there. Pure: the same evidence has the same findings.
package struct Audit: Sendable {
    package var evidence: LedgerEvidence
    package var subjects: [any LedgerSubject]

    package init(_ evidence: LedgerEvidence, of subjects: [any LedgerSubject]) {
        self.evidence = evidence
        self.subjects = subjects
    }

    package func findings() -> [Finding] {
        var findings: [Finding] = []
        let work = attribute(&findings)
        for (name, service) in evidence.services.sorted(by: { $0.key < $1.key }) {
            findings += StreamAudit(name: name, service: service).findings()
            findings += unasked(of: name, service, work)
        }
        findings += order(work)
        findings += SubscriberAudit(evidence: evidence).findings()
        findings += HeardAudit(evidence: evidence).findings()
        for subject in subjects { findings += subject.audit(evidence, work) }
        return findings
    }

    // MARK: Commands

    /// Looks up each command's record, and the events of the transaction that made it.
    private func attribute(_ findings: inout [Finding]) -> AttributedWork {
        var work = AttributedWork()
        let byMark = evidence.services.mapValues { Dictionary(grouping: $0.events, by: \.mark) }
        for entry in evidence.ledger {
            let service = entry.command.service.rawValue
            let mark = evidence.services[service]?.requests[entry.requestID]
            if let finding = verdict(entry, isDone: mark != nil) { findings.append(finding) }
            guard let mark else { continue }
            // Two transactions may begin in the same microsecond; not two about the same thing.
            let events = (byMark[service]?[mark] ?? []).filter { event in
                !event.isNotice && entry.aggregate.map { event.aggregate == $0 } ?? entry.command.owns(event)
            }
            guard entry.command.explains(events) else {
                let what = events.map { "\($0.type) \($0.payload)" }
                findings.append(Finding(.halfDone, "\(entry): its transaction left the events \(what)"))
                continue
            }
            work.add(entry, events, of: service)
        }
        return work
    }

    private func verdict(_ entry: LedgerEntry, isDone: Bool) -> Finding? {
        switch entry.outcome {
        case nil: Finding(.stuck, "\(entry)")
        case .ok where !isDone: Finding(.lost, "\(entry)")
        case .fail where isDone: Finding(.doneThoughRefused, "\(entry)")
        case .ok, .fail, .unknown: nil
        }
    }

    /// Events that are nobody's work.
    private func unasked(of name: String, _ service: ServiceEvidence, _ work: AttributedWork) -> [Finding] {
        service.events.filter { !$0.isNotice && work.author(of: $0, in: name) == nil }.compactMap { event in
            guard !subjects.contains(where: { $0.service.rawValue == name && $0.isOfItsOwn(event) }) else { return nil }
            let twice = work.entries(about: event.aggregate).first { $0.command.owns(event) }
            let suspicion = twice.map { "; \($0) has done it already" } ?? ""
            return Finding(
                .doubled, "\(name) \(event.number) \(event.type) of \(event.aggregate) is nobody's work\(suspicion)")
        }
    }

    /// What was acknowledged before another command was given stands before it in the stream.
    private func order(_ work: AttributedWork) -> [Finding] {
        work.things.flatMap { thing -> [Finding] in
            var latest: LedgerEntry?
            return work.entries(about: thing).compactMap { entry in
                defer { if entry.invokedAt > latest?.invokedAt ?? .zero { latest = entry } }
                guard let latest, let endedAt = entry.endedAt, case .ok = entry.outcome, endedAt < latest.invokedAt
                else { return nil }
                return Finding(.disorder, "\(entry) had ended before \(latest) began, and stands behind it")
            }
        }
    }
}

/// Which event is the work of which command.
package struct AttributedWork: Sendable {
    private struct EventID: Hashable {
        var service: String
        var number: Int64
    }

    private var authors: [EventID: LedgerEntry] = [:]
    private var byThing: [String: [(place: Int64, entry: LedgerEntry)]] = [:]

    mutating func add(_ entry: LedgerEntry, _ events: [PublishedEvent], of service: String) {
        for event in events { authors[EventID(service: service, number: event.number)] = entry }
        guard let first = events.first else { return }
        byThing[first.aggregate, default: []].append((first.number, entry))
    }

    package func author(of event: PublishedEvent, in service: String) -> LedgerEntry? {
        authors[EventID(service: service, number: event.number)]
    }

    package var things: [String] { byThing.keys.sorted() }

    /// The commands that are in effect on a thing, in the order of their effects.
    package func entries(about thing: String) -> [LedgerEntry] {
        byThing[thing, default: []].sorted { $0.place < $1.place }.map(\.entry)
    }
}
