import WireProtocol

/// What people heard is what was published for everybody and for them, and nothing else: each once, in order, without a gap from when they listened.
struct HeardAudit {
    let evidence: LedgerEvidence

    func findings() -> [Finding] { evidence.heard.flatMap(findings) }

    private func findings(of stream: HeardStream) -> [Finding] {
        var findings = stream.end.map { [Finding(.gap, "\(stream.listener)'s stream ended: \($0)")] } ?? []
        var unknown = stream.messages
        for (publisher, service) in evidence.services.sorted(by: { $0.key < $1.key }) {
            let types = Set(service.events.map(\.type))
            let heard = stream.messages.filter { types.contains($0.type) }
            findings += compare(heard, service, of: publisher, stream)
            unknown.removeAll { types.contains($0.type) }
        }
        if unknown.contains(where: { $0.type == "resync" }) {
            findings.append(Finding(.gap, "\(stream.listener) was told that events are gone"))
        }
        // Who went back to an older backup knows no more what was heard of it.
        guard evidence.restored == nil else { return findings }
        return findings
            + unknown.filter { $0.type != "resync" }.map {
                Finding(.overheard, "\(stream.listener) heard what nobody has published: \($0)")
            }
    }

    /// What somebody has to hear of a publisher, in its order, and from which index on: what came before may have been told before they
    /// listened. Without that somebody is writing, which is not told again to those who were away.
    static func due(of service: ServiceEvidence, named publisher: String, to stream: HeardStream)
        -> (all: [HeardStream.Message], begin: Int)
    {
        let events = service.events.filter {
            $0.position != nil && $0.type != Typing.type && $0.header.audience.has(stream.person)
        }.sorted { $0.position! < $1.position! }
        let since = stream.since[publisher, default: 0]
        return (events.map(\.message), events.firstIndex { $0.position! > since } ?? events.count)
    }

    private func compare(
        _ heard: [HeardStream.Message], _ service: ServiceEvidence, of publisher: String, _ stream: HeardStream
    ) -> [Finding] {
        let who = "\(stream.listener) on \(publisher)"
        let allowed = Set(service.events.filter { $0.header.audience.has(stream.person) }.map(\.message))
        let secret = Set(service.events.map(\.message)).subtracting(allowed)
        let overheard = heard.filter(secret.contains).map {
            Finding(.overheard, "\(who) heard what is for somebody else: \($0)")
        }
        let mine = heard.filter { !secret.contains($0) && !($0.type == Typing.type && allowed.contains($0)) }
        let due = Self.due(of: service, named: publisher, to: stream)
        return overheard + compare(mine, due.all, from: due.begin, who)
    }

    private func compare(
        _ heard: [HeardStream.Message], _ published: [HeardStream.Message], from begin: Int, _ who: String
    ) -> [Finding] {
        var (findings, next): ([Finding], Int) = ([], begin)
        // From the first that they heard on nothing may be missing, even where they need not have heard that.
        if let first = heard.first, let earlier = published[..<begin].firstIndex(of: first) { next = earlier }
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

extension PublishedEvent {
    fileprivate var message: HeardStream.Message { .init(type: type, payload: payload) }
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
