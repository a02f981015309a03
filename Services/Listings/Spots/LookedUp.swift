import People
import Synchronization
import WireProtocol

/// Whom one transaction has asked for already.
final class LookedUp: Sendable {
    private struct Question: Hashable {
        var people: Set<PersonID>
        var viewer: PersonID?
    }

    private let known: Mutex<[Question: KnownPeople]>

    init() { known = Mutex([:]) }

    init(_ people: KnownPeople, of ids: Set<PersonID>) {
        known = Mutex([Question(people: ids): people])
    }

    func find(_ ids: Set<PersonID>, for viewer: PersonID?) -> KnownPeople? {
        known.withLock { $0[Question(people: ids, viewer: viewer)] }
    }

    func remember(_ people: KnownPeople, of ids: Set<PersonID>, for viewer: PersonID?) {
        known.withLock { $0[Question(people: ids, viewer: viewer)] = people }
    }
}
