import Synchronization
package import WireProtocol

/// From whom one listener is apart, and where they belong, as it changes while they listen.
package final class PeopleApart: Sendable {
    private struct State {
        var people: Set<PersonID> = []
        var campus: String?
        /// What events said while auth was asked; its answer may be older or newer than they are. Nil once the answer is here.
        var meanwhile: [(other: PersonID, isBlocked: Bool)]? = []
        /// The same of where they belong.
        var moved: String??
        var isOutdated = false

        mutating func apply(_ change: (other: PersonID, isBlocked: Bool)) {
            if change.isBlocked { people.insert(change.other) } else { people.remove(change.other) }
        }
    }

    let person: PersonID
    private let state = Mutex(State())
    private let forget: @Sendable (PersonID, ObjectIdentifier) -> Void

    fileprivate init(_ person: PersonID, forget: @escaping @Sendable (PersonID, ObjectIdentifier) -> Void) {
        self.person = person
        self.forget = forget
    }

    deinit { forget(person, ObjectIdentifier(self)) }

    /// Whether what these people do is nothing for the listener. So it is of anybody as long as nothing is known.
    func hides(_ concerned: [PersonID]) -> Bool {
        state.withLock { state in
            state.meanwhile != nil || !state.people.isEmpty && concerned.contains { state.people.contains($0) }
        }
    }

    /// Where the listener belongs.
    var campus: String? { state.withLock(\.campus) }

    /// Events were missed that may have said more: this is of no use any more.
    var isOutdated: Bool { state.withLock { $0.isOutdated } }

    fileprivate func outdate() { state.withLock { $0.isOutdated = true } }

    fileprivate func load(_ people: Set<PersonID>, _ campus: String?) {
        state.withLock { state in
            state.people = people
            state.campus = state.moved ?? campus
            for change in state.meanwhile ?? [] { state.apply(change) }
            state.meanwhile = nil
        }
    }

    fileprivate func move(to campus: String?) {
        state.withLock { state in
            state.campus = campus
            if state.meanwhile != nil { state.moved = .some(campus) }
        }
    }

    fileprivate func change(_ other: PersonID, isBlocked: Bool) {
        state.withLock { state in
            guard state.meanwhile != nil else { return state.apply((other, isBlocked)) }
            state.meanwhile?.append((other, isBlocked))
        }
    }
}

/// From whom those are apart who listen here: asked of auth when they come, and kept by its events while they stay.
package final class StreamBlocks: Sendable {
    private struct Listener {
        weak var apart: PeopleApart?
    }

    private let listeners = Mutex<[PersonID: [ObjectIdentifier: Listener]]>([:])

    package init() {}

    /// - Throws: `ServiceError` where auth does not answer: who may hear what is then not known.
    package func follow(_ caller: Caller, asking backend: any Backend) async throws -> PeopleApart? {
        guard let person = caller.person else { return nil }
        // First heard of, then asked for: so no change is lost between the two.
        let apart = begin(person)
        var (found, last, campus): (Set<PersonID>, PersonID?, String?) = ([], nil, nil)
        while true {
            let page = try await backend.call(
                AuthMethods.apart, ApartQuery(after: last), Nothing(), as: caller, within: 3)
            found.formUnion(page.items)
            (last, campus) = (page.items.last, page.campus)
            guard page.next != nil, last != nil else { break }
        }
        apart.load(found, campus)
        return apart
    }

    package func apply(_ pair: BlockedPair, isBlocked: Bool) {
        for (one, other) in [(pair.low, pair.high), (pair.high, pair.low)] {
            for apart in following(one) { apart.change(other, isBlocked: isBlocked) }
        }
    }

    /// Somebody may belong somewhere else now.
    package func apply(_ person: PersonSummary) {
        for apart in following(person.id) { apart.move(to: person.campus) }
    }

    /// Events of auth were missed: whatever is known here may be wrong.
    func outdate() {
        let all = listeners.withLock { Array($0.keys) }
        for person in all {
            for apart in following(person) { apart.outdate() }
        }
    }

    var count: Int { listeners.withLock { $0.count } }

    private func begin(_ person: PersonID) -> PeopleApart {
        let apart = PeopleApart(person) { [weak self] in self?.forget($0, $1) }
        listeners.withLock { $0[person, default: [:]][ObjectIdentifier(apart)] = Listener(apart: apart) }
        return apart
    }

    /// They are let go of outside of the lock: the last one to do so takes it.
    private func following(_ person: PersonID) -> [PeopleApart] {
        listeners.withLock { $0[person]?.values.map { $0 } ?? [] }.compactMap(\.apart)
    }

    private func forget(_ person: PersonID, _ listener: ObjectIdentifier) {
        listeners.withLock { listeners in
            // Its place may have been taken by another one since.
            guard listeners[person]?[listener]?.apart == nil else { return }
            listeners[person]?[listener] = nil
            if listeners[person]?.isEmpty == true { listeners[person] = nil }
        }
    }
}
