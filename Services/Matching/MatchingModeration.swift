import PlainText
import WireProtocol

// What moderators have to do with matches. Nothing of one is hidden: nobody sees it but the two.

extension SubjectSnapshot {
    /// What there is to judge of a match. Nil where that person has erased themselves.
    /// - Parameter viewer: who reports it; nil for moderators, who are shown what both have said.
    init?(_ match: MatchAgreement, for viewer: PersonID?) {
        let role = match.role(of: viewer)
        let judged: MatchRole = role == .deliverer ? .orderer : .deliverer
        guard match.person(judged) != .nobody else { return nil }
        let words = role == nil ? MatchRole.allCases.flatMap(match.words) : match.words(of: judged)
        self.init(
            owner: match.person(judged), title: match.title, text: words.joined(separator: "\n").nonEmpty,
            photo: judged == .deliverer ? match.receipt : nil)
    }
}

extension MatchAgreement {
    /// What one of the two has said in it.
    fileprivate func words(of role: MatchRole) -> [String] {
        let wanted = role == .orderer ? [items] : []
        let why = changedBy == person(role) ? [reason].compactMap { $0 } : []
        return (wanted + why + statements.filter { $0.by == role }.map(\.text)).filter { !$0.isEmpty }
    }
}
