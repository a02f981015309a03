import FoundationEssentials
import People
import WireProtocol

extension AuthParts {
    /// What auth keeps about somebody, in the forms in which they get it by the HTTP interface.
    var ownRecords: PersonalSections {
        let (accounts, friends, blocks, stores) = (accounts, friends, blocks, database.stores)
        let (identities, passkeys) = (identities, passkeys)
        let all = 100
        return PersonalSections([
            .init("account") { person, _ in
                let account = try await accounts.account(of: person)
                return Page(items: [try PersonalRecord("account", account.own, photos: [account.profile.photo])])
            },
            .init("language") { person, _ in
                let language = try await stores.notices.language(of: person)
                return Page(
                    items: try language.map { [try PersonalRecord("language", LanguageParameters(language: $0))] } ?? []
                )
            },
            .init("sessions") { person, _ in
                let live = try await stores.sessions.live(of: person, now: now())
                return Page(items: try live.map { try PersonalRecord("sessions", $0.shown(to: nil)) })
            },
            .init("identities") { person, _ in
                try await identities.linked(by: Caller(person: person)).records("identities")
            },
            .init("passkeys") { person, _ in
                try await passkeys.passkeys(for: Caller(person: person)).records("passkeys")
            },
            .init("calendar-feed") { person, _ in
                let feed = try await stores.calendars.feed(of: person)
                // Without the address, which would be good for who has the archive.
                return Page(
                    items: try feed.map { [try PersonalRecord("calendar-feed", ExportedFeed(madeAt: $0.madeAt))] } ?? []
                )
            },
            .init("friends") { person, cursor in
                try await friends.friends(
                    FriendQuery(state: .friends, limit: all, cursor: cursor), for: Caller(person: person)
                ).records("friends")
            },
            .init("friends-asked") { person, cursor in
                try await friends.friends(
                    FriendQuery(state: .asked, limit: all, cursor: cursor), for: Caller(person: person)
                ).records("friends-asked")
            },
            .init("friends-waiting") { person, cursor in
                try await friends.friends(
                    FriendQuery(state: .waiting, limit: all, cursor: cursor), for: Caller(person: person)
                ).records("friends-waiting")
            },
            .init("blocks") { person, cursor in
                try await blocks.blocks(BlockQuery(limit: all, cursor: cursor), for: Caller(person: person))
                    .records("blocks")
            },
            .init("reviews") { person, cursor in
                let found = try await stores.reviews.written(
                    by: person, after: try Paging.moment(cursor), limit: all)
                let named = try await stores.named(found)
                return try Page(named, of: all) { MomentCursor($0.writtenAt, $0.id.uuid) }.records("reviews")
            },
            .init("reviews-about-me") { person, cursor in
                let found = try await stores.reviews.published(
                    about: person, for: .archive, after: try Paging.moment(cursor), limit: all)
                let named = try await stores.named(found, for: person)
                return try Page(named, of: all) { review in
                    review.publishedAt.map { MomentCursor($0, review.id.uuid) }
                }.records("reviews-about-me")
            },
            .init("encounters") { person, cursor in
                let found = try await stores.reviews.encounters(
                    of: person, after: try Paging.moment(cursor), limit: all)
                return try Page(found.map(ExportedEncounter.init), of: all) {
                    MomentCursor($0.completedAt, $0.subject.id.uuid)
                }.records("encounters")
            },
            .init("reports") { person, cursor in
                let found = try await stores.reports.reports(by: person, after: try Paging.moment(cursor), limit: all)
                return try Page(found, of: all) { MomentCursor($0.reportedAt, $0.id.uuid) }.records("reports")
            },
            .init("notices") { person, cursor in
                let found = try await stores.notices.notices(of: person, after: try Paging.moment(cursor), limit: all)
                return try Page(found, of: all) { MomentCursor($0.at, $0.id.uuid) }.records("notices")
            },
        ])
    }
}

private struct ExportedFeed: Codable, Sendable {
    var madeAt: Date
}

/// What two people completed; of the other one the archive has no name.
private struct ExportedEncounter: Codable, Sendable {
    var subject: Subject
    var title: String
    var completedAt: Date

    init(_ encounter: CompletedEncounter) {
        (subject, title, completedAt) = (encounter.subject, encounter.title, encounter.completedAt)
    }
}

extension Page {
    fileprivate func records(_ kind: String) throws -> Page<PersonalRecord> {
        Page<PersonalRecord>(items: try items.map { try PersonalRecord(kind, $0) }, next: next)
    }
}
