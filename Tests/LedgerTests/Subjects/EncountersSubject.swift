import Foundation
import TestKit
import WireProtocol

/// What `auth` keeps of encounters that other services tell of: reviews stand on it. Nobody gives it commands.
struct EncountersSubject: LedgerSubject {
    let service = PeerRole.auth

    func command(for person: LedgerPerson, using random: inout SeededGenerator) -> (any LedgerCommand)? { nil }

    let rows = [
        "encounters": "SELECT subject, low, high FROM auth.encounters",
        "encounterAccounts": "SELECT id FROM auth.accounts",
    ]

    private struct Row: Decodable, Hashable {
        var subject: ID<Subject>
        var low: PersonID
        var high: PersonID
    }

    private struct Account: Decodable {
        var id: PersonID
    }

    func audit(_ evidence: LedgerEvidence, _ work: AttributedWork) -> [Finding] {
        do {
            let kept = Set(try evidence.rows("encounters", as: Row.self))
            // After an older backup somebody may not be there any more.
            let people = Set(try evidence.rows("encounterAccounts", as: Account.self).map(\.id))
            let told = Capability.encounters.services.flatMap { evidence.services[$0.rawValue]?.events ?? [] }
                .compactMap { $0.type == EncounterCompleted.type ? $0.decoded(as: EncounterCompleted.self) : nil }
            let due = Set(
                told.compactMap { event -> Row? in
                    let pair = Set(event.people).sorted()
                    guard pair.count == 2, people.isSuperset(of: pair) else { return nil }
                    return Row(subject: event.subject.id, low: pair[0], high: pair[1])
                })
            let missing = due.subtracting(kept).map { Finding(.notAppliedOnce, "auth does not know \($0)") }
            let made = kept.subtracting(due).map { Finding(.halfDone, "nobody told auth of \($0)") }
            return missing + made
        } catch { return [Finding(.rowsDiffer, "the rows of encounters cannot be read: \(error)")] }
    }
}
