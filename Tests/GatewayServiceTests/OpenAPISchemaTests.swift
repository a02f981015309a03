import FoundationEssentials
import GatewayService
import Testing
import WireProtocol

// The document's schemas and the types that are written.

extension OpenAPITests {
    /// The names that types write are the names that the document describes.
    @Test func schemas_say_what_types_write() throws {
        let reputation = Reputation(rating: 5, count: 1)
        let person = Person(
            id: .new(), name: "", username: "", email: "", emailVerified: true, phone: "", phoneVerified: true,
            region: "", photo: "", bio: "", car: PersonCar(make: "", model: "", year: 1, color: ""), mode: .ordering,
            campus: "",
            reputation: reputation, memberSince: Date(), version: "")
        try holds("Person", person)
        try holds(
            "SignedIn",
            SignedIn(tokens: .init(accessToken: "", refreshToken: "", expiresIn: 1, suspended: true), person: person))
        try holds(
            "SpotDraft",
            SpotDraft(
                name: "", position: .init(latitude: 0, longitude: 0), photo: "", price: .init(amount: 0, currency: ""),
                expiresAt: Date(), lifetime: .longest, kind: .street, version: ""))
        try holds("SignUp", SignUp(email: "", password: "", name: "", username: "", region: "", photo: ""))
        try holds("PersonCar", PersonCar(make: "", model: "", year: 1, color: ""))
        try holds(
            "ProfileChange",
            ProfileChange(
                name: "", username: "", region: "", photo: "", phone: "", bio: "", car: .remove, mode: .remove,
                version: ""))
        try holds("UsernameAvailability", UsernameAvailability(username: "", free: false, suggestions: [""]))
        try holds("PasswordResetRequest", PasswordResetRequest(email: ""))
        try holds("PasswordReset", PasswordReset(token: "", password: "", unlink: true))
        try holds("ProofOfPerson", ProofOfPerson(password: ""))
        try holds("PasswordChange", PasswordChange(current: "", password: ""))
        try holds("EmailChange", EmailChange(email: "", password: ""))
        try holds("EmailConfirmation", EmailConfirmation(code: ""))
        try holds("Friend", Friend(person: PersonSummary(id: .new(), name: ""), state: .friends, since: Date()))
        try holds("BlockedPerson", BlockedPerson(person: PersonSummary(id: .new(), name: ""), since: Date()))
        try holds(
            "DataExport",
            DataExport(id: .new(), requestedAt: Date(), readyAt: Date(), expiresAt: Date(), parts: []))
        try holds("DataExportPart", DataExportPart(service: "", doneAt: Date()))
        try holds("ErasureRequest", ErasureRequest(password: ""))
        try holds("Erasure", Erasure(id: .new(), requestedAt: Date(), completedAt: Date(), parts: []))
        try holds("ErasurePart", ErasurePart(service: "", doneAt: Date()))
        try holds("ErasedRecords", ErasedRecords(.spots, 1))
        try holds("MutualFriends", MutualFriends(items: [], count: 0))
        try holds("EmailVerificationRequest", EmailVerificationRequest(email: ""))
        try holds("EmailVerification", EmailVerification(code: ""))
        try holds("PhoneVerificationRequest", PhoneVerificationRequest(phone: ""))
        try holds("PhoneVerification", PhoneVerification(code: ""))
        try holds("Campus", Campus(id: "", name: ""))
        try holds("Photo", Photo(id: "", width: 1, height: 1))
        try holds("Session", Session(id: .new(), device: "", startedAt: Date(), lastUsedAt: Date(), current: true))
        try holds("Problem", ProblemStatus.problem(ServiceError(.invalid, "")))
        let someone = PersonSummary(id: .new(), name: "", photo: "", campus: "", reputation: reputation)
        try holds("PersonSummary", someone)
        try holds("Reputation", reputation)
        try holds(
            "Spot",
            Spot(
                id: .new(), name: "", position: .init(latitude: 0, longitude: 0), kind: .street, state: .free,
                photo: "",
                price: .init(amount: 0, currency: ""), postedBy: someone, postedAt: Date(), expiresAt: Date(), age: 0,
                distance: 0, directions: "", observations: .init(there: 0, gone: 0), likelyGone: false, mine: false,
                claim: SpotClaim(by: someone, at: Date(), mine: false, parkedAt: Date()),
                hidden: Hiding(at: Date(), reason: ""), version: ""))
        try holds("SpotClaim", SpotClaim(by: someone, at: Date(), mine: false, parkedAt: Date()))
    }

    @Test func schemas_of_places_say_what_types_write() throws {
        let place = Place(
            id: .new(), kind: .town, name: "", foundBy: "", match: .name, names: [], address: "", postcode: "",
            locality: "",
            region: "",
            country: "", position: .init(latitude: 0, longitude: 0), distance: 0, attribution: "")
        try holds("Place", place)
        try holds("PlaceName", PlaceName(language: "", name: ""))
        try holds("PlaceSuggestions", PlaceSuggestions(items: [], leftOut: [""]))
        try holds("PlaceDescription", PlaceDescription(name: "", place: place, town: place))
        try holds("PlaceRegion", PlaceRegion(name: "", community: true, attribution: ""))
        try holds("PlaceDistances", PlaceDistances(items: [], attribution: []))
        try holds("PlaceRoute", PlaceRoute(legs: [], shape: [], attribution: []))
        try holds("PlaceDistance", PlaceDistance(metres: 1, seconds: 1, alongStreets: true))
    }

    @Test func schemas_of_identities_say_what_types_write() throws {
        let provider = IdentityProvider(id: "", name: "")
        let person = Person(id: .new(), name: "", memberSince: Date())
        let tokens = SessionTokens(accessToken: "", refreshToken: "", expiresIn: 1)
        try holds("IdentityProvider", provider)
        try holds("IdentityProviders", IdentityProviders(items: [provider], passwords: true))
        try holds("IdentityRedirect", IdentityRedirect(url: ""))
        try holds(
            "IdentityOutcome",
            IdentityOutcome(
                signedIn: SignedIn(tokens: tokens, person: person), ticket: "", link: false, next: ""))
        try holds("IdentityTicket", IdentityTicket(ticket: ""))
        try holds(
            "IdentitySignUp", IdentitySignUp(ticket: "", email: "", name: "", username: "", region: "", photo: ""))
        try holds(
            "LinkedIdentity",
            LinkedIdentity(provider: provider, account: "", name: true, since: Date(), lastUsedAt: Date()))
    }

    @Test func schemas_of_chat_say_what_types_write() throws {
        let subject = Subject(kind: .spot, id: .new())
        let marks = RoomMarks(delivered: 0, read: 0)
        let message = Message(
            id: .new(), room: .new(), number: 1, by: .new(), text: "", photo: "", sentAt: Date(), hidden: true)
        try holds("RoomSubject", subject)
        try holds("RoomDraft", RoomDraft(subject: subject, with: .new()))
        try holds("RoomMarks", marks)
        try holds("Message", message)
        try holds("MessagePage", MessageList(items: [message], before: 1, after: 1))
        try holds("MessageDraft", MessageDraft(id: .new(), text: "", photo: ""))
        try holds("MessageMark", MessageMark(number: 0))
        try holds("RoomArchiving", RoomArchiving(archived: true))
        try holds("UnreadCount", UnreadCount(rooms: 0))
        try holds(
            "Room",
            Room(
                id: .new(), subject: subject, title: "", photo: "", with: PersonSummary(id: .new(), name: ""),
                state: .open, writable: true, last: message, unread: 0, read: 0, theirs: marks, archived: false,
                createdAt: Date(), changedAt: Date()))
    }

    @Test func schemas_of_notifications_say_what_types_write() throws {
        let subject = Subject(kind: .room, id: .new())
        let choice = NoticeChoice(kind: .message, mail: true, push: true)
        let quiet = QuietHours(from: "", to: "")
        var mark = InboxMark(ids: [])
        (mark.upTo, mark.about, mark.asOf) = (.new(), subject, Date())
        let keys = PushDeviceDraft.Keys(p256dh: "", auth: "")
        var draft = PushDeviceDraft(endpoint: "", keys: keys)
        draft.token = ""
        try holds("InboxSubject", subject)
        var notice = InboxNotice(
            id: .new(), kind: .account, subject: subject, actor: PersonSummary(id: .new(), name: ""), title: "",
            variant: "warning", values: NoticeValues(), link: "", at: Date(), readAt: Date())
        (notice.rental, notice.due) = (.accepted, .overdue)
        try holds("InboxNotice", notice)
        try holds("InboxCount", InboxCount(unread: 0, unseen: 0))
        try holds("CalendarFeed", CalendarFeed(path: "", madeAt: Date()))
        try holds("InboxMark", mark)
        try holds("NoticeChoice", choice)
        try holds("QuietHours", quiet)
        try holds(
            "NoticeSettings",
            NoticeSettings(kinds: [choice], mail: .daily, digestHour: 8, quiet: quiet, timeZone: "", version: ""))
        try holds("PushSettings", PushSettings(kinds: [.webPush], applicationServerKey: ""))
        try holds(
            "PushDevice",
            PushDevice(id: .new(), kind: .apns, label: "", addedAt: Date(), lastUsedAt: Date(), current: true))
        try holds("PushDeviceKeys", keys)
        try holds("PushDeviceDraft", draft)
    }

    @Test func schemas_of_reviews_say_what_types_write() throws {
        let someone = PersonSummary(id: .new(), name: "")
        let subject = Subject(kind: .spot, id: .new())
        try holds("EncounterSubject", subject)
        try holds(
            "Encounter",
            Encounter(subject: subject, title: "", with: someone, completedAt: Date(), reviewsUntil: Date()))
        try holds("ReviewDraft", ReviewDraft(subject: subject, rating: 1, text: ""))
        try holds("ReviewReplyDraft", ReviewReplyDraft(text: "", version: ""))
    }

    @Test func schemas_of_moderation_say_what_types_write() throws {
        let someone = PersonSummary(id: .new(), name: "")
        let subject = Subject(kind: .spot, id: .new())
        let hiding = Hiding(at: Date(), reason: "")
        let said = SubjectSnapshot(owner: someone.id, title: "", text: "", photo: "", rating: 1)
        let decision = CaseDecision(act: .hide, by: someone, at: Date())
        let one = ModerationCase(
            id: .new(), subject: subject, person: someone, title: "", reports: 1, reasons: [.spam], openedAt: Date(),
            reportedAt: Date(), state: .open, decision: decision, version: 0)
        try holds("ReportSubject", subject)
        try holds("ReportDraft", ReportDraft(subject: subject, reason: .other, text: ""))
        try holds("Report", Report(id: .new(), subject: subject, reason: .spam, text: "", reportedAt: Date()))
        try holds("SubjectSnapshot", said)
        try holds("Hiding", hiding)
        try holds("ModerationCase", one)
        try holds(
            "CaseReport", CaseReport(id: .new(), by: someone, reason: .spam, text: "", at: Date(), subject: said))
        try holds(
            "CaseFile",
            CaseFile(
                about: one, now: said, hidden: hiding,
                suspension: Suspension(since: Date(), until: Date(), reason: ""), reports: [], acts: [],
                possible: [.hide]))
        try holds("Suspension", Suspension(since: Date(), until: Date(), reason: ""))
        try holds("Notice", Notice(id: .new(), kind: .warning, at: Date(), title: "", text: "", until: Date()))
        try holds("ActDraft", ActDraft(act: .hide, reason: "", days: 1, version: 0))
        let change = AuditChange(of: "", from: "", to: "")
        try holds("AuditChange", change)
        try holds(
            "AuditEntry",
            AuditEntry(
                id: .new(), at: Date(), by: someone, act: .hide, person: someone, subject: subject, case: .new(),
                reason: "", changes: [change]))
        let review = Review(
            id: .new(), subject: Subject(kind: .spot, id: .new()), author: someone, about: .new(), rating: 1,
            text: "", writtenAt: Date(), publishedAt: Date(), reply: ReviewReply(text: "", at: Date()), hidden: hiding,
            version: "")
        try holds("Review", review)
    }

    @Test func every_kind_of_notice_is_described() throws {
        let described = try #require(document.components.schemas["InboxNoticeKind"]?.values)
        #expect(described.sorted() == InboxNoticeKind.allCases.map(\.rawValue).sorted())
    }

    func holds(_ name: String, _ full: some Encodable) throws {
        let written = Set(try WireJSON.decode([String: Ignored].self, from: WireJSON.encode(full)).keys)
        let schema = try #require(document.components.schemas[name])
        #expect(Set(try #require(schema.properties).keys) == written, "\(name)")
        #expect(Set(schema.required ?? []).isSubset(of: written), "\(name)")
    }
}
