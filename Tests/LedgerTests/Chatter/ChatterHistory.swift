import TestKit
import WireProtocol

/// What must be true of what people heard and saw of their rooms, however often they were cut off: each message once, the same ones in the same
/// order for both, on their streams as on their pages, and marks that never move back. Pure; what is true of the rows alone says `RoomHistory`.
struct ChatterHistory {
    /// What one device heard on its stream, over all its lines.
    struct Heard: Sendable {
        var listener: PersonID
        var messages: [RoomHistory.Message] = []
        var marks: [MessagesRead] = []
        /// What it could not use, and that it was told that something is gone.
        var troubles: [String] = []
    }

    /// What one person was shown of a room from its first message to its last.
    struct Page: Sendable {
        var reader: PersonID
        var room: RoomID
        var messages: [RoomHistory.Message]
    }

    /// All that was sent, whatever was heard of it: who wrote what, and where.
    var drafts: [(author: PersonID, room: RoomID, draft: MessageDraft)]
    var members: [RoomHistory.Member]
    var messages: [RoomHistory.Message]
    var heard: [Heard]
    var pages: [Page]
    var glances: GlanceHistory

    func findings() -> [Finding] {
        let written = Dictionary(grouping: messages, by: \.room).mapValues { $0.sorted { $0.number < $1.number } }
        return stored() + onStreams(written) + onPages(written) + glances.findings()
    }

    /// Each is there once at the most, and as it was written, whether its writer heard of it or not.
    private func stored() -> [Finding] {
        var findings = Dictionary(grouping: messages, by: \.id).filter { $0.value.count > 1 }.map {
            Finding(.doubled, "message \($0.key) is there \($0.value.count) times")
        }
        let sent = Dictionary(drafts.map { ($0.draft.id, $0) }) { first, _ in first }
        for message in messages {
            if let sent = sent[message.id], sent.author == message.author, sent.room == message.room,
                sent.draft.text == message.text
            {
                continue
            }
            findings.append(Finding(.rowsDiffer, "nobody wrote \(message)"))
        }
        return findings
    }

    private func onPages(_ written: [RoomID: [RoomHistory.Message]]) -> [Finding] {
        pages.filter { $0.messages != written[$0.room] ?? [] }.map {
            let shown = $0.messages.map(\.number)
            return Finding(.rowsDiffer, "\($0.reader) is shown \(shown) of \($0.room), which has otherwise")
        }
    }

    private func onStreams(_ written: [RoomID: [RoomHistory.Message]]) -> [Finding] {
        let byPerson = Dictionary(grouping: members, by: \.person)
        let byRoom = Dictionary(grouping: members, by: \.room)
        var findings: [Finding] = []
        for heard in heard {
            let mine = Set((byPerson[heard.listener] ?? []).map(\.room))
            findings += heard.troubles.map { Finding(.gap, "\(heard.listener): \($0)") }
            findings += tellings(heard, written.filter { mine.contains($0.key) })
            findings += movements(heard, mine.sorted().flatMap { byRoom[$0] ?? [] })
        }
        return findings
    }

    // MARK: On a stream

    private func tellings(_ heard: Heard, _ written: [RoomID: [RoomHistory.Message]]) -> [Finding] {
        let told = Dictionary(grouping: heard.messages, by: \.room)
        return Set(told.keys).union(written.keys).sorted().flatMap { room in
            compare(told[room] ?? [], written[room] ?? [], "\(heard.listener) on room \(room)")
        }
    }

    private func compare(_ told: [RoomHistory.Message], _ written: [RoomHistory.Message], _ who: String) -> [Finding] {
        guard told != written else { return [] }
        let real = Set(written)
        let (known, unknown) = (told.filter(real.contains), told.filter { !real.contains($0) })
        var findings = unknown.map { Finding(.rowsDiffer, "\(who) heard what is not there: \($0)") }
        if Set(known).count < known.count {
            findings.append(Finding(.doubled, "\(who) heard again: \(known.map(\.number))"))
        }
        if known.map(\.number) != known.map(\.number).sorted() {
            findings.append(Finding(.disorder, "\(who) heard in this order: \(known.map(\.number))"))
        }
        let missed = real.subtracting(known)
        if !missed.isEmpty { findings.append(Finding(.gap, "\(who) never heard \(missed.map(\.number).sorted())")) }
        return findings
    }

    /// Each is told as it moves on, and the last time of where it is.
    private func movements(_ heard: Heard, _ members: [RoomHistory.Member]) -> [Finding] {
        let told = Dictionary(grouping: heard.marks, by: \.room)
        return members.flatMap { member -> [Finding] in
            let marks = (told[member.room] ?? []).filter { $0.by == member.person }.map(\.marks)
            let who = "\(heard.listener) on the marks of \(member.person) in \(member.room)"
            var findings: [Finding] = []
            for (before, next) in zip(marks, marks.dropFirst()) {
                if next == before {
                    findings.append(Finding(.doubled, "\(who) heard again: \(next)"))
                } else if next.read < before.read || next.delivered < before.delivered {
                    findings.append(Finding(.disorder, "\(who) heard that they moved back to \(next)"))
                }
            }
            if marks.last ?? RoomMarks(delivered: 0, read: 0)
                != RoomMarks(delivered: member.delivered, read: member.read)
            {
                findings.append(Finding(.gap, "\(who) has not heard the last"))
            }
            return findings
        }
    }
}
