import Foundation
import TestKit
import WireProtocol

/// Who looked for what since when, and when things were shared, as the ledger has it.
struct WantedTimeline {
    struct Wish: Hashable {
        var person: PersonID
        var sought: Sought
    }

    /// When somebody asked first to be told of it, whatever became of that.
    private(set) var firstLook: [Wish: Duration] = [:]
    /// By when a search was known to look, of those that look since then without a doubt.
    private(set) var begun: [WantedID: Duration] = [:]
    /// When it was first shared, and last known to be.
    private(set) var shared: [WantedHistory.Key: (first: Duration, last: Duration)] = [:]
    /// Whether these people offer to bring something is not known: a command of theirs had no answer.
    private var unsure: Set<PersonID> = []

    init(_ ledger: [LedgerEntry]) {
        var doubtful: Set<WantedID> = []
        for entry in ledger {
            take(entry)
            guard let wanted = Self.id(of: entry.aggregate, "wanted/").map({ WantedID($0) }) else { continue }
            if case .fail = entry.outcome { continue }
            guard case .ok = entry.outcome else {
                doubtful.insert(wanted)
                continue
            }
            let wish = (entry.command as? KeepCommand)?.wish
            if wish == nil || wish == .goOn {
                begun[wanted] = max(begun[wanted] ?? .zero, entry.endedAt ?? .zero)
            }
        }
        for wanted in doubtful { begun[wanted] = nil }
    }

    /// Whether it may have been there before it was known to be.
    func isUnsure(of thing: WantedHistory.Thing) -> Bool {
        thing.kind == .availability && unsure.contains(thing.owner)
    }

    private mutating func take(_ entry: LedgerEntry) {
        if let look = entry.command as? LookCommand, let person = entry.person {
            if case .fail = entry.outcome { return }
            let wish = Wish(person: person, sought: look.sought)
            firstLook[wish] = min(firstLook[wish] ?? entry.invokedAt, entry.invokedAt)
        }
        guard case .ok(let thing) = entry.outcome else {
            if case .fail = entry.outcome { return }
            if let go = entry.command as? GoCommand { unsure.insert(go.person) }
            return
        }
        guard let key = Self.key(thing), Self.isSharing(entry.command) else { return }
        let before = shared[key] ?? (first: entry.invokedAt, last: .zero)
        shared[key] = (first: min(before.first, entry.invokedAt), last: max(before.last, entry.endedAt ?? .zero))
    }

    private static func isSharing(_ command: any LedgerCommand) -> Bool {
        if let go = command as? GoCommand { return !go.isEnd }
        return command is PostCommand || command is ShareCommand || command is OfferCommand
    }

    private static func id(of thing: String?, _ prefix: String) -> UUID? {
        guard let thing, thing.hasPrefix(prefix) else { return nil }
        return ID<Subject>(String(thing.dropFirst(prefix.count)))?.uuid
    }

    private static func key(_ thing: String) -> WantedHistory.Key? {
        for kind in [SubjectKind.spot, .thing, .ride, .availability] {
            if let id = id(of: thing, "\(kind.rawValue)/") { return WantedHistory.Key(kind: kind, subject: id) }
        }
        return nil
    }
}
