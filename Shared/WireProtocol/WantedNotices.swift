#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What people are told of what they look for.

extension NoticeKey {
    /// Of each thing there is one notice, however many searches of a person have found it.
    package static func found(_ subject: Subject) -> NoticeKey {
        NoticeKey(rawValue: "found/\(subject.kind.rawValue)/\(subject.id)")
    }

    package static func wanted(_ id: WantedID) -> NoticeKey { NoticeKey(rawValue: "wanted/\(id)") }
}

extension SubjectKind {
    /// Which notice tells that one of these was found; nil where nobody can look for them. A vertical more adds its kind here.
    package var foundNotice: InboxNoticeKind? {
        switch self {
        case .spot: .spotFound
        case .thing: .thingFound
        case .ride: .rideFound
        case .availability: .delivererFound
        default: nil
        }
    }

    /// What can be looked for.
    package static let searched = allCases.filter { $0.foundNotice != nil }
}

extension Searchable {
    /// Which notice tells that it was found.
    package var noticeKind: InboxNoticeKind? { subject.kind.foundNotice }

    /// That it was found, to people whom its owner is not apart from.
    package func raised(to people: [PersonID], at moment: Date) -> NoticeRaised? {
        noticeKind.map {
            NoticeRaised(
                $0, .found(subject), to: .people(people), by: owner, subject, variant: thing?.rawValue, title: title,
                at: moment)
        }
    }
}

extension WantedReminder {
    package func notices(at moment: Date) -> [NoticeNews] {
        [
            .raised(
                NoticeRaised(
                    .wantedDue, .wanted(wanted), to: .people([person]), by: nil, Subject(wanted),
                    variant: about.rawValue, values: number.map { NoticeValues(number: $0) }, at: moment))
        ]
    }
}
