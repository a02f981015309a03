import TestKit
import WireProtocol

/// A service that does something of its own because of others, where what that is is the matter of another subject.
struct BystanderSubject: LedgerSubject {
    let service: PeerRole
    let rows: [String: String] = [:]
    func command(for person: LedgerPerson, using random: inout SeededGenerator) -> (any LedgerCommand)? { nil }
    func isOfItsOwn(_ event: PublishedEvent) -> Bool { true }
    func audit(_ evidence: LedgerEvidence, _ work: AttributedWork) -> [Finding] { [] }
}
