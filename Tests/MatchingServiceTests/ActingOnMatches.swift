import FoundationEssentials
import WireProtocol

@testable import MatchingService

/// Maya, Tom and Lin do something to a match.
protocol ActingOnMatches {}

extension ActingOnMatches {
    func act(
        _ act: MatchAct, _ draft: MatchActDraft = MatchActDraft(), on match: MatchAgreement, as party: MatchParty,
        at now: Date = noon
    ) throws(DeliveryError) -> MatchAgreement { try decide(act, draft, on: match, as: party, at: now).match }

    func decide(
        _ act: MatchAct, _ draft: MatchActDraft = MatchActDraft(), on match: MatchAgreement, as party: MatchParty,
        at now: Date = noon
    ) throws(DeliveryError) -> MatchDecision {
        let person = party == .deliverer ? maya : party == .orderer ? tom : lin
        return try match.act(act, draft, by: person, as: party, at: now, within: limits)
    }

    func faults(
        _ act: MatchAct, _ draft: MatchActDraft, on match: MatchAgreement, as party: MatchParty
    ) -> [String] {
        wrong { () throws(DeliveryError) in _ = try self.act(act, draft, on: match, as: party) }
    }
}
