#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What people are told of spots, and of what two have completed together.

extension NoticeKey {
    package static func claim(of spot: SpotID) -> NoticeKey { NoticeKey(rawValue: "spotClaimed/\(spot)") }
    package static func release(of spot: SpotID) -> NoticeKey { NoticeKey(rawValue: "spotReleased/\(spot)") }
    static func reviewing(_ person: PersonID, for subject: Subject) -> NoticeKey {
        NoticeKey(rawValue: "reviewPossible/\(subject.kind.rawValue)/\(subject.id)/\(person)")
    }
}

extension ClaimChanged {
    /// Of a spot only the latest is told: that it is taken, or that it was given back.
    package func notices(at moment: Date) -> [NoticeNews] {
        func told(_ kind: InboxNoticeKind, _ key: NoticeKey, insteadOf outdated: NoticeKey) -> [NoticeNews] {
            let raised = NoticeRaised(
                kind, key, to: .people([owner]), by: claimer, Subject(spot), title: name, at: moment)
            return [.settling(outdated, for: owner), .raised(raised)]
        }
        let (claim, release) = (NoticeKey.claim(of: spot), NoticeKey.release(of: spot))
        return switch change {
        case .made: told(.spotClaimed, claim, insteadOf: release)
        case .released: told(.spotReleased, release, insteadOf: claim)
        }
    }
}

extension EncounterCompleted {
    /// Each of the two may review the other.
    package func notices(at moment: Date) -> [NoticeNews] {
        guard people.count == 2 else { return [] }
        return [(people[0], people[1]), (people[1], people[0])].map { person, other in
            .raised(
                NoticeRaised(
                    .reviewPossible, .reviewing(other, for: subject), to: .people([person]), by: other,
                    subject, title: title, at: completedAt))
        }
    }
}
