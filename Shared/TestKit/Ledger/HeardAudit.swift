internal import WireProtocol

/// What people heard is what was published for everybody and for them: from the first that they heard on, each once, in order.
struct HeardAudit {
    let evidence: LedgerEvidence

    func findings() -> [Finding] { evidence.heard.flatMap(findings) }

    private func findings(of stream: HeardStream) -> [Finding] {
        var findings = stream.end.map { [Finding(.gap, "\(stream.listener)'s stream ended: \($0)")] } ?? []
        for (publisher, service) in evidence.services.sorted(by: { $0.key < $1.key }) {
            let published = Self.due(of: service, to: stream.person)
            let types = Set(published.map(\.type))
            let heard = stream.messages.filter { types.contains($0.type) }
            findings += compare(heard, published, "\(stream.listener) on \(publisher)")
        }
        if stream.messages.contains(where: { $0.type == "resync" }) {
            findings.append(Finding(.gap, "\(stream.listener) was told that events are gone"))
        }
        return findings
    }

    /// Without that somebody is writing, which is not told again to those who were away.
    static func due(of service: ServiceEvidence, to person: PersonID?) -> [HeardStream.Message] {
        service.events.filter { $0.position != nil && $0.type != Typing.type && $0.header.audience.has(person) }
            .sorted { $0.position! < $1.position! }.map { .init(type: $0.type, payload: $0.payload) }
    }

    private func compare(_ heard: [HeardStream.Message], _ published: [HeardStream.Message], _ who: String) -> [Finding]
    {
        guard let first = heard.first, var next = published.firstIndex(of: first) else {
            return published.isEmpty ? [] : [Finding(.gap, "\(who) heard nothing")]
        }
        var findings: [Finding] = []
        for message in heard {
            if next < published.count, published[next] == message {
                next += 1
            } else if let later = published[next...].firstIndex(of: message) {
                findings.append(Finding(.gap, "\(who) missed \(later - next) events before \(message)"))
                next = later + 1
            } else {
                findings.append(Finding(.disorder, "\(who) heard again or out of turn: \(message)"))
            }
        }
        if next < published.count {
            findings.append(Finding(.gap, "\(who) has not heard the last \(published.count - next)"))
        }
        return findings
    }
}

extension Audience {
    fileprivate func has(_ person: PersonID?) -> Bool {
        switch self {
        case .everyone: true
        case .people(let people): person.map { people.contains($0) } ?? false
        case .nobody: false
        }
    }
}
