import FoundationEssentials
import WireProtocol

/// Whom to ask auth for: each person once in a while, and nobody while auth does not answer.
///
/// Pure, so that a list of a hundred unknown people, or an auth service that is away, delays at most one answer per pause.
struct Inquiries: Sendable {
    static let pause: TimeInterval = 30
    /// More are not asked for within one pause: only a projection that is far behind comes here.
    static let most = 10_000

    private var asked: [PersonID: Date] = [:]
    private var nextPruning = Date.distantPast
    private var quietUntil = Date.distantPast

    /// Those to ask for now; for them the pause begins.
    mutating func begin(_ unknown: Set<PersonID>, at now: Date) -> Set<PersonID> {
        guard !unknown.isEmpty, now >= quietUntil else { return [] }
        // Not at each call: that would walk thousands for one answer.
        if now >= nextPruning {
            asked = asked.filter { now < $0.value + Self.pause }
            nextPruning = now + 1
        }
        let fresh = unknown.filter { id in asked[id].map { now >= $0 + Self.pause } ?? true }
            .prefix(max(0, Self.most - asked.count))
        for id in fresh { asked[id] = now }
        return Set(fresh)
    }

    /// Auth did not answer.
    mutating func fail(at now: Date) { quietUntil = now + Self.pause }
}
