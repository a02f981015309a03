// What people are told of: the kinds, and the table that says what is true of each. Their sentences are in `Shared/Sentences`.

/// What people are told of. A vertical more adds its kinds here, and describes them in `NoticeKinds.all`.
public struct InboxNoticeKind: RawRepresentable, Codable, CaseIterable, Hashable, Sendable, ExpressibleByStringLiteral {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    public init(stringLiteral value: String) { rawValue = value }

    /// Somebody has written, once or several times, in one room.
    public static let message: InboxNoticeKind = "message"
    /// Somebody wants to be a friend; they have become one.
    public static let friendAsked: InboxNoticeKind = "friendAsked"
    public static let friendAccepted: InboxNoticeKind = "friendAccepted"
    /// Somebody has taken one's spot; they have given it back.
    public static let spotClaimed: InboxNoticeKind = "spotClaimed"
    public static let spotReleased: InboxNoticeKind = "spotReleased"
    /// One may review somebody.
    public static let reviewPossible: InboxNoticeKind = "reviewPossible"
    /// Somebody has reviewed one, and it cannot be read yet; it can be read; they have replied to one's own.
    public static let reviewWritten: InboxNoticeKind = "reviewWritten"
    public static let reviewPublished: InboxNoticeKind = "reviewPublished"
    public static let reviewReplied: InboxNoticeKind = "reviewReplied"
    /// Somebody asks for one's thing; one's request was answered, or lapsed.
    public static let rentalRequested: InboxNoticeKind = "rentalRequested"
    public static let rentalAnswered: InboxNoticeKind = "rentalAnswered"
    /// The other one has cancelled, handed over, given back, or says that something went wrong; moderators have settled it.
    public static let rentalChanged: InboxNoticeKind = "rentalChanged"
    /// Something is due soon, or is overdue.
    public static let rentalDue: InboxNoticeKind = "rentalDue"
    /// To moderators: the two of an agreement do not agree, and wait for one of them.
    public static let rentalDisputed: InboxNoticeKind = "rentalDisputed"
    /// Somebody asks for seats in one's ride; one's request was answered, or expired.
    public static let seatRequested: InboxNoticeKind = "seatRequested"
    public static let seatAnswered: InboxNoticeKind = "seatAnswered"
    /// The other one has withdrawn, left, taken a seat back or says that something went wrong; a seat came free; the ride changed or was removed.
    public static let seatChanged: InboxNoticeKind = "seatChanged"
    /// An answer is due soon, or a ride leaves.
    public static let seatDue: InboxNoticeKind = "seatDue"
    /// To moderators: the two of a seat do not agree.
    public static let seatDisputed: InboxNoticeKind = "seatDisputed"
    /// One is asked to bring something.
    public static let matchOffered: InboxNoticeKind = "matchOffered"
    /// Somebody brings it, or can't; nobody could in time.
    public static let matchAnswered: InboxNoticeKind = "matchAnswered"
    /// The other one has cancelled, picked up, given up, completed or tipped, or says that something went wrong.
    public static let matchChanged: InboxNoticeKind = "matchChanged"
    /// Nobody could bring it in time.
    public static let orderLapsed: InboxNoticeKind = "orderLapsed"
    /// It is not picked up, or not completed.
    public static let matchDue: InboxNoticeKind = "matchDue"
    /// One's time at the restaurant ends, or has; or one did not answer.
    public static let availabilityDue: InboxNoticeKind = "availabilityDue"
    /// To moderators: the two of a delivery do not agree.
    public static let matchDisputed: InboxNoticeKind = "matchDisputed"
    /// A standing search has found a spot; something to rent; a ride; somebody who brings something.
    public static let spotFound: InboxNoticeKind = "spotFound"
    public static let thingFound: InboxNoticeKind = "thingFound"
    public static let rideFound: InboxNoticeKind = "rideFound"
    public static let delivererFound: InboxNoticeKind = "delivererFound"
    /// A driver invites one who seeks; somebody seeks along the way of one's ride.
    public static let rideInvited: InboxNoticeKind = "rideInvited"
    public static let seekerFound: InboxNoticeKind = "seekerFound"
    /// A standing search ends, or has; it has found more than is told of one by one; or it is paused, since nobody looks at what it tells.
    public static let wantedDue: InboxNoticeKind = "wantedDue"
    /// What moderators did, or what became of the account: see `NoticeKind`.
    public static let account: InboxNoticeKind = "account"

    public static var allCases: [InboxNoticeKind] { NoticeKinds.all.kinds }

    /// Whether the inbox sends mails of it. Those of `account` are auth's, and always sent.
    public var hasMail: Bool { NoticeKinds.all[self].mail != .never }

    /// Whether moderators alone are told of it.
    package var isForModerators: Bool { NoticeKinds.all[self].isForModerators }
}

/// What is true of one kind of notice.
package struct NoticeDescription: Hashable, Sendable {
    /// Whether mails tell of it.
    package enum Mail: Hashable, Sendable {
        /// Unless somebody does not want it: what waits for an answer, or cannot be found otherwise.
        case usual
        case onWish
        case never
    }

    package var kind: InboxNoticeKind
    /// The page on which it can be seen, or answered. `{subject}`, `{person}` (who is told) and `{actor}` stand for ids.
    package var link: String
    /// The same where nobody did it.
    package var linkWithoutActor: String?
    /// The name of an icon of the pages.
    package var icon: String
    package var mail: Mail
    /// Whether it wakes a telephone that sleeps.
    package var isUrgent: Bool
    /// Whether those of one key are counted together, and wait a moment: whoever looks where it happens reads it meanwhile.
    package var isCounted: Bool
    package var isForModerators: Bool
    /// Whether many are told of the same: what one person alone waits for goes before it.
    package var isForMany: Bool
    /// For how many seconds it is of use, where that is not long: it rings at once then, in quiet hours too, and for whoever looks. A notice may say
    /// itself until when.
    package var lasts: Double?

    package init(
        _ kind: InboxNoticeKind, link: String, withoutActor linkWithoutActor: String? = nil, icon: String,
        mail: Mail = .usual, isUrgent: Bool = false, isCounted: Bool = false, isForModerators: Bool = false,
        isForMany: Bool = false, lasts: Double? = nil
    ) {
        self.kind = kind
        self.link = link
        self.linkWithoutActor = linkWithoutActor
        self.icon = icon
        self.mail = mail
        self.isUrgent = isUrgent
        self.isCounted = isCounted
        self.isForModerators = isForModerators
        self.isForMany = isForMany
        self.lasts = lasts
    }

    package func link(to subject: Subject, of person: PersonID, by actor: PersonID?) -> String {
        let template = actor == nil ? linkWithoutActor ?? self.link : self.link
        return template.replacing("{subject}", with: subject.id.description)
            .replacing("{person}", with: person.description)
            .replacing("{actor}", with: actor?.description ?? "")
    }
}

/// The table of all kinds, in the order in which the settings list them.
package struct NoticeKinds: Hashable, Sendable {
    package let kinds: [InboxNoticeKind]
    private let descriptions: [InboxNoticeKind: NoticeDescription]

    package init(_ descriptions: [NoticeDescription]) {
        kinds = descriptions.map(\.kind)
        self.descriptions = Dictionary(uniqueKeysWithValues: descriptions.map { ($0.kind, $0) })
    }

    package func knows(_ kind: InboxNoticeKind) -> Bool { descriptions[kind] != nil }

    /// A kind that a newer service raises, and that is not known here yet, stands in the inbox and is told of nowhere else.
    package subscript(_ kind: InboxNoticeKind) -> NoticeDescription {
        descriptions[kind] ?? NoticeDescription(kind, link: "/notifications", icon: "bell", mail: .never)
    }

    package var forModerators: [InboxNoticeKind] { kinds.filter { self[$0].isForModerators } }

    package static let all = NoticeKinds([
        NoticeDescription(.message, link: "/messages/{subject}", icon: "messages", isUrgent: true, isCounted: true),
        NoticeDescription(.friendAsked, link: "/me/friends?of=waiting", icon: "friends"),
        NoticeDescription(.friendAccepted, link: "/people/{subject}", icon: "friends", mail: .onWish),
        NoticeDescription(.spotClaimed, link: "/spots/{subject}", icon: "park", mail: .onWish, isUrgent: true),
        NoticeDescription(.spotReleased, link: "/spots/{subject}", icon: "park", mail: .onWish, isUrgent: true),
        NoticeDescription(.reviewPossible, link: "/me/encounters", icon: "star"),
        NoticeDescription(.reviewWritten, link: "/me/encounters", icon: "star"),
        NoticeDescription(.reviewPublished, link: "/people/{person}/reviews", icon: "star"),
        NoticeDescription(
            .reviewReplied, link: "/people/{actor}/reviews", withoutActor: "/me/encounters", icon: "star",
            mail: .onWish),
        NoticeDescription(.rentalRequested, link: "/rentals/{subject}", icon: "car", isUrgent: true),
        NoticeDescription(.rentalAnswered, link: "/rentals/{subject}", icon: "car", isUrgent: true),
        NoticeDescription(.rentalChanged, link: "/rentals/{subject}", icon: "car", isUrgent: true),
        NoticeDescription(.rentalDue, link: "/rentals/{subject}", icon: "clock", isUrgent: true),
        NoticeDescription(.rentalDisputed, link: "/rentals/{subject}", icon: "flag", isForModerators: true),
        NoticeDescription(.seatRequested, link: "/seats/{subject}", icon: "ride", isUrgent: true),
        NoticeDescription(.seatAnswered, link: "/seats/{subject}", icon: "ride", isUrgent: true),
        NoticeDescription(.seatChanged, link: "/seats/{subject}", icon: "ride", isUrgent: true),
        NoticeDescription(.seatDue, link: "/seats/{subject}", icon: "clock", isUrgent: true),
        NoticeDescription(.seatDisputed, link: "/seats/{subject}", icon: "flag", isForModerators: true),
        // What is over in a minute or two is of no use in a mail. Who is asked has said that they are there.
        NoticeDescription(
            .matchOffered, link: "/matches/{subject}", icon: "restaurant", mail: .never, isUrgent: true, lasts: 120),
        NoticeDescription(.matchAnswered, link: "/matches/{subject}", icon: "restaurant", mail: .never, isUrgent: true),
        NoticeDescription(.matchChanged, link: "/matches/{subject}", icon: "restaurant", mail: .onWish, isUrgent: true),
        NoticeDescription(.orderLapsed, link: "/orders/{subject}", icon: "restaurant", mail: .onWish, isUrgent: true),
        NoticeDescription(.availabilityDue, link: "/deliver", icon: "clock", mail: .never, isUrgent: true),
        NoticeDescription(.matchDue, link: "/matches/{subject}", icon: "clock", mail: .never, isUrgent: true),
        NoticeDescription(.matchDisputed, link: "/matches/{subject}", icon: "flag", isForModerators: true),
        NoticeDescription(
            .spotFound, link: "/spots/{subject}?found=yes", icon: "park", mail: .onWish, isUrgent: true, isForMany: true
        ),
        NoticeDescription(
            .thingFound, link: "/things/{subject}?found=yes", icon: "search", mail: .onWish, isForMany: true),
        NoticeDescription(
            .rideFound, link: "/rides/{subject}?found=yes", icon: "ride", mail: .onWish, isUrgent: true, isForMany: true
        ),
        NoticeDescription(
            .delivererFound, link: "/deliverers/{subject}", icon: "restaurant", mail: .onWish, isUrgent: true,
            isForMany: true),
        NoticeDescription(.rideInvited, link: "/rides/{subject}?found=yes", icon: "ride", isUrgent: true),
        NoticeDescription(.seekerFound, link: "/rides/{subject}/seekers", icon: "ride", mail: .onWish),
        NoticeDescription(.wantedDue, link: "/wanted/{subject}", icon: "search"),
        NoticeDescription(.account, link: "/me", icon: "flag", mail: .never, isUrgent: true),
    ])
}
