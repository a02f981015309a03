#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What people are told of friends, of reviews, and of their accounts.

extension NoticeKey {
    static func asked(by person: PersonID) -> NoticeKey { NoticeKey(rawValue: "friendAsked/\(person)") }
    static func accepted(by person: PersonID) -> NoticeKey { NoticeKey(rawValue: "friendAccepted/\(person)") }
    static func written(by person: PersonID, for subject: Subject) -> NoticeKey {
        NoticeKey(rawValue: "reviewWritten/\(subject.kind.rawValue)/\(subject.id)/\(person)")
    }
    static func published(_ review: ReviewID) -> NoticeKey { NoticeKey(rawValue: "reviewPublished/\(review)") }
    static func replied(_ review: ReviewID) -> NoticeKey { NoticeKey(rawValue: "reviewReplied/\(review)") }
    static func account(_ notice: NoticeID) -> NoticeKey { NoticeKey(rawValue: "account/\(notice)") }
}

extension FriendAsked {
    package func notices(at moment: Date) -> [NoticeNews] {
        [
            .raised(
                NoticeRaised(
                    .friendAsked, .asked(by: asker.id), to: .people([asked]), by: asker.id, Subject(asker.id),
                    at: moment))
        ]
    }
}

extension FriendshipBegan {
    /// Who had asked comes first.
    package func notices(at moment: Date) -> [NoticeNews] {
        guard people.count == 2 else { return [] }
        let (asker, asked) = (people[0].id, people[1].id)
        let told = NoticeRaised(
            .friendAccepted, .accepted(by: asked), to: .people([asker]), by: asked, Subject(asked), at: moment)
        return [.settling(.asked(by: asker), for: asked), .raised(told)]
    }
}

extension FriendQuestionEnded {
    /// It was answered with no, or taken back.
    package func notices(at moment: Date) -> [NoticeNews] { [.settling(.asked(by: asker), for: asked)] }
}

extension ReviewWritten {
    package func notices(at moment: Date) -> [NoticeNews] {
        let told = NoticeRaised(
            .reviewWritten, .written(by: author.id, for: subject), to: .people([about]), by: author.id,
            Subject(author.id), at: moment)
        return [.settling(.reviewing(about, for: subject), for: author.id), .raised(told)]
    }
}

extension ReviewPublished {
    package func notices(at moment: Date) -> [NoticeNews] {
        let author = review.author.id
        let told = NoticeRaised(
            .reviewPublished, .published(review.id), to: .people([review.about]), by: author, Subject(review.id),
            at: moment)
        return [.settling(.written(by: author, for: review.subject), for: review.about), .raised(told)]
    }
}

extension ReviewReplied {
    package func notices(at moment: Date) -> [NoticeNews] {
        let told = NoticeRaised(
            .reviewReplied, .replied(review), to: .people([author]), by: about, Subject(review), at: at)
        return [.raised(told)]
    }
}

extension NoticeGiven {
    package func notices(at moment: Date) -> [NoticeNews] {
        let told = NoticeRaised(
            .account, .account(notice), to: .people([person]), by: nil, Subject(notice), variant: kind.rawValue,
            title: title, at: moment)
        return [.raised(told)]
    }
}

extension NoticeRead {
    package func notices(at moment: Date) -> [NoticeNews] { [.settling(.account(notice), for: person)] }
}
