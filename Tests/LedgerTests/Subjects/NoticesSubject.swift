import TestKit
import WireProtocol

/// The inboxes of `notification`: what others do has to be told there. Nobody gives it commands.
struct NoticesSubject: LedgerSubject {
    let service = PeerRole.notification

    func command(for person: LedgerPerson, using random: inout SeededGenerator) -> (any LedgerCommand)? { nil }

    /// All that it publishes follows from what others publish, or from time.
    func isOfItsOwn(_ event: PublishedEvent) -> Bool { true }

    let rows = [
        "notices": """
        SELECT id, person, kind, subject_id AS subject, actor, latest, read_at IS NOT NULL AS read FROM notification.notices
        """
    ]

    func audit(_ evidence: LedgerEvidence, _ work: AttributedWork) -> [Finding] {
        // Where one of these went back to an older backup, people have been told what did not happen.
        let tellers = [PeerRole.listings, .rides, .matching, .chat].map(\.rawValue)
        guard evidence.restored.map({ !tellers.contains($0) }) ?? true else { return [] }
        do {
            let history = NoticeHistory(
                notices: try evidence.rows("notices", as: NoticeHistory.Row.self),
                listings: evidence.services["listings"]?.events ?? [], rides: evidence.services["rides"]?.events ?? [],
                matching: evidence.services["matching"]?.events ?? [],
                chat: evidence.services["chat"]?.events ?? [],
                said: (evidence.services["notification"]?.events ?? []).filter { $0.type == Noticed.type })
            return history.findings()
        } catch { return [Finding(.rowsDiffer, "the rows of notices cannot be read: \(error)")] }
    }
}
