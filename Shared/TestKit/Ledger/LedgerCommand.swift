package import KampongClient
package import WireProtocol

/// Something that a person asks of Kampong, and how its effect is recognised afterwards.
///
/// A service joins the ledger by a `LedgerSubject` that makes such commands.
package protocol LedgerCommand: Sendable {
    /// What findings and the history call it: `claim`.
    var name: String { get }
    /// The service whose schema it changes.
    var service: PeerRole { get }
    /// The thing that it changes, as `spot/<id>`; nil where it makes one.
    var aggregate: String? { get }
    /// Whether it is asked by nobody who is signed in, whoever gives it.
    var isAnonymous: Bool { get }

    /// Who asks for it, where that is somebody else than the one who gives it.
    var actor: LedgerPerson? { get }

    /// Asks for it, with this idempotency key.
    /// - Returns: The thing that was changed.
    /// - Throws: What the client throws; `Ledger` knows what that says of the effect.
    func send(as person: LedgerPerson, key: String) async throws -> String

    /// Whether these events, all that its transaction left behind about its thing, are what it should have left.
    func explains(_ events: [PublishedEvent]) -> Bool

    /// Whether an event can be its work at all; of a command that makes a thing only this tells which.
    func owns(_ event: PublishedEvent) -> Bool
}

extension LedgerCommand {
    package var isAnonymous: Bool { false }
    package var actor: LedgerPerson? { nil }
    package func owns(_ event: PublishedEvent) -> Bool { event.aggregate == aggregate && explains([event]) }
}

/// One kind of thing that a service keeps: what can be asked about it, and what must be true of its rows afterwards.
package protocol LedgerSubject: Sendable {
    var service: PeerRole { get }
    /// One more command that the person may give now; nil where there is none.
    func command(for person: LedgerPerson, using random: inout SeededGenerator) -> (any LedgerCommand)?
    /// The rows that `audit` looks at: a name, and the query of the superuser that selects them.
    var rows: [String: String] { get }
    /// The tables of other services' data whose every change is written down, as `listings.people`.
    var projections: [String] { get }
    /// Whether the service published this event without being asked by anybody.
    func isOfItsOwn(_ event: PublishedEvent) -> Bool
    /// What is wrong with the rows, given which command each event is the work of.
    func audit(_ evidence: LedgerEvidence, _ work: AttributedWork) -> [Finding]
}

extension LedgerSubject {
    package var projections: [String] { [] }
    package func isOfItsOwn(_ event: PublishedEvent) -> Bool { false }
}

/// Somebody who gives commands, one after the other.
package struct LedgerPerson: Sendable {
    package var number: Int
    /// Nil until they have signed up.
    package var id: PersonID?
    package var client: KampongClient

    package init(number: Int, id: PersonID? = nil, client: KampongClient) {
        self.number = number
        self.id = id
        self.client = client
    }
}
