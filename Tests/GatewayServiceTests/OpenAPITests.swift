import FoundationEssentials
import GatewayService
import HTTPTypes
import Testing
import WireProtocol

/// Holds the document to the route table, and the table to the document.
@Suite struct OpenAPITests {
    struct Document: Decodable {
        var openapi: String
        var paths: [String: [String: Operation]]
        var components: Components
    }
    struct Operation: Decodable {
        var operationId: String
        var security: [[String: [String]]]
        var parameters: [Reference]?
        var requestBody: Body?
        var responses: [String: Answer]
    }
    struct Reference: Decodable {
        var ref: String
        enum CodingKeys: String, CodingKey { case ref = "$ref" }
    }
    struct Body: Decodable { var content: [String: Ignored] }
    struct Answer: Decodable {
        var ref: String?
        var headers: [String: Ignored]?
        enum CodingKeys: String, CodingKey {
            case ref = "$ref"
            case headers
        }
    }
    struct Ignored: Decodable {}
    struct Components: Decodable {
        var schemas: [String: Schema]
        var responses: [String: Ignored]
        var parameters: [String: Parameter]
        var headers: [String: Ignored]
    }
    struct Schema: Decodable {
        var properties: [String: Ignored]?
        var required: [String]?
    }
    struct Parameter: Decodable {
        var name: String
        var `in`: String
    }

    let bytes: [UInt8]
    let document: Document

    init() throws {
        bytes = try #require(GatewayResources().read("OpenAPI/openapi.json"))
        document = try WireJSON.decode(from: bytes)
    }

    private func described(_ route: APIRoute) -> Operation? {
        document.paths[route.path]?[route.method.rawValue.lowercased()]
    }

    @Test func every_route_is_described_and_nothing_else_is() {
        let routes = Set(APIRoute.all.map { "\($0.method.rawValue.lowercased()) \($0.path) \($0.operation)" })
        let described = Set(
            document.paths.flatMap { path, methods in
                methods.map { "\($0.key) \(path) \($0.value.operationId)" }
            })
        #expect(routes == described)
        #expect(routes.count == APIRoute.all.count)
    }

    @Test(arguments: APIRoute.all.indices) func a_route_does_what_is_described(index: Int) throws {
        let route = APIRoute.all[index]
        let operation = try #require(described(route))
        #expect(operation.responses["\(route.success.code)"] != nil)
        switch route.session {
        case .required: #expect(!operation.security.isEmpty && !operation.security.contains([:]))
        case .optional: #expect(operation.security.contains([:]) && operation.security.count > 1)
        case .none: #expect(operation.security.isEmpty)
        }
        let types = Set(operation.requestBody.map { Array($0.content.keys) } ?? [])
        switch route.body {
        case .none: #expect(types.isEmpty)
        case .json: #expect(types == ["application/json"])
        case .photo: #expect(types == ["multipart/form-data", "image/*"])
        }
        let parameters = (operation.parameters ?? []).compactMap {
            document.components.parameters[String($0.ref.split(separator: "/").last!)]
        }
        let inPath = route.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            String($0.dropFirst().dropLast())
        }
        #expect(parameters.filter { $0.in == "path" }.map(\.name) == inPath)
        #expect(parameters.contains { $0.name == "Idempotency-Key" } == (route.method != .get))
    }

    /// Which answers every call of a kind may get.
    @Test(arguments: APIRoute.all.indices) func the_answers_that_may_come_are_described(index: Int) throws {
        let route = APIRoute.all[index]
        let statuses = Set(try #require(described(route)).responses.keys)
        var expected: Set = ["429", "500"]
        if route.session != .none { expected.insert("401") }
        if route.session == .required, route.method != .get { expected.insert("403") }
        if route.body != .none { expected.formUnion(["400", "408", "413", "415", "422"]) }
        if route.path.contains("{") { expected.formUnion(["400", "404"]) }
        if route.path != "/v1/about", route.path != "/v1/openapi.json" { expected.insert("503") }
        // What is long or has no end has no version.
        let isOnce = ["/v1/stream", "/v1/me/export/archive"].contains(route.path)
        if route.method == .get, route.success == .ok, !isOnce { expected.insert("304") }
        #expect(expected.subtracting(statuses).isEmpty)
    }

    @Test func everything_that_is_referred_to_is_there() throws {
        let known = Set(
            document.components.schemas.keys.map { "#/components/schemas/\($0)" }
                + document.components.responses.keys.map { "#/components/responses/\($0)" }
                + document.components.parameters.keys.map { "#/components/parameters/\($0)" }
                + document.components.headers.keys.map { "#/components/headers/\($0)" })
        let text = String(decoding: bytes, as: UTF8.self)
        let references = text.split(separator: "\"").filter { $0.hasPrefix("#/components/") }.map(String.init)
        #expect(references.count > 50)
        #expect(Set(references).subtracting(known).isEmpty)
        let unused = known.subtracting(references)
        #expect(unused.isEmpty)
    }

    /// The names that types write are the names that the document describes.
    @Test func schemas_say_what_types_write() throws {
        let reputation = Reputation(rating: 5, count: 1)
        let person = Person(
            id: .new(), name: "", username: "", email: "", phone: "", phoneVerified: true, region: "", photo: "",
            bio: "", car: PersonCar(make: "", model: "", year: 1, color: ""), mode: .ordering, campus: "",
            reputation: reputation, memberSince: Date())
        try holds("Person", person)
        try holds(
            "SignedIn",
            SignedIn(tokens: .init(accessToken: "", refreshToken: "", expiresIn: 1, suspended: true), person: person))
        try holds(
            "SpotDraft",
            SpotDraft(
                name: "", position: .init(latitude: 0, longitude: 0), photo: "", price: .init(amount: 0, currency: ""),
                expiresAt: Date(), lifetime: .longest, kind: .street))
        try holds("SignUp", SignUp(email: "", password: "", name: "", username: "", region: "", photo: ""))
        try holds("PersonCar", PersonCar(make: "", model: "", year: 1, color: ""))
        try holds(
            "ProfileChange",
            ProfileChange(
                name: "", username: "", region: "", photo: "", phone: "", bio: "", car: .remove, mode: .remove))
        try holds("UsernameAvailability", UsernameAvailability(username: "", free: false, suggestions: [""]))
        try holds("PasswordResetRequest", PasswordResetRequest(email: ""))
        try holds("PasswordReset", PasswordReset(token: "", password: ""))
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
                hidden: Hiding(at: Date(), reason: "")))
        try holds("SpotClaim", SpotClaim(by: someone, at: Date(), mine: false, parkedAt: Date()))
    }

    @Test func schemas_of_places_say_what_types_write() throws {
        let place = Place(
            id: .new(), kind: .town, name: "", foundBy: "", names: [], address: "", postcode: "", locality: "",
            region: "",
            country: "", position: .init(latitude: 0, longitude: 0), distance: 0, attribution: "")
        try holds("Place", place)
        try holds("PlaceName", PlaceName(language: "", name: ""))
        try holds("PlaceSuggestions", PlaceSuggestions(items: []))
        try holds("PlaceDescription", PlaceDescription(name: "", place: place, town: place))
        try holds("PlaceRegion", PlaceRegion(name: "", community: true, attribution: ""))
        try holds("PlaceDistances", PlaceDistances(items: [], attribution: []))
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
        let subject = RoomSubject(kind: .spot, id: .new())
        let marks = RoomMarks(delivered: 0, read: 0)
        let message = Message(
            id: .new(), room: .new(), number: 1, by: .new(), text: "", photo: "", sentAt: Date(), hidden: true)
        try holds("RoomSubject", subject)
        try holds("RoomDraft", RoomDraft(subject: subject, with: .new()))
        try holds("RoomMarks", marks)
        try holds("Message", message)
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
        let subject = InboxSubject(kind: .room, id: .new())
        let choice = NoticeChoice(kind: .message, mail: true, push: true)
        let quiet = QuietHours(from: "", to: "")
        var mark = InboxMark(ids: [])
        (mark.upTo, mark.about) = (.new(), subject)
        let keys = PushDeviceDraft.Keys(p256dh: "", auth: "")
        var draft = PushDeviceDraft(endpoint: "", keys: keys)
        draft.token = ""
        try holds("InboxSubject", subject)
        try holds(
            "InboxNotice",
            InboxNotice(
                id: .new(), kind: .account, subject: subject, actor: PersonSummary(id: .new(), name: ""), title: "",
                rental: .accepted, due: .overdue, about: .warning, link: "", at: Date(), readAt: Date()))
        try holds("InboxCount", InboxCount(unread: 0, unseen: 0))
        try holds("CalendarFeed", CalendarFeed(path: "", madeAt: Date()))
        try holds("InboxMark", mark)
        try holds("NoticeChoice", choice)
        try holds("QuietHours", quiet)
        try holds(
            "NoticeSettings",
            NoticeSettings(kinds: [choice], mail: .daily, digestHour: 8, quiet: quiet, timeZone: ""))
        try holds("PushSettings", PushSettings(kinds: [.webPush], applicationServerKey: ""))
        try holds(
            "PushDevice",
            PushDevice(id: .new(), kind: .apns, label: "", addedAt: Date(), lastUsedAt: Date(), current: true))
        try holds("PushDeviceKeys", keys)
        try holds("PushDeviceDraft", draft)
    }

    @Test func schemas_of_reviews_say_what_types_write() throws {
        let someone = PersonSummary(id: .new(), name: "")
        let subject = EncounterSubject(kind: .spot, id: .new())
        try holds("EncounterSubject", subject)
        try holds(
            "Encounter",
            Encounter(subject: subject, title: "", with: someone, completedAt: Date(), reviewsUntil: Date()))
        try holds("ReviewDraft", ReviewDraft(subject: subject, rating: 1, text: ""))
        try holds("ReviewReplyDraft", ReviewReplyDraft(text: ""))
    }

    @Test func schemas_of_moderation_say_what_types_write() throws {
        let someone = PersonSummary(id: .new(), name: "")
        let subject = ReportSubject(kind: .post, id: .new())
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
            id: .new(), subject: EncounterSubject(kind: .spot, id: .new()), author: someone, about: .new(), rating: 1,
            text: "", writtenAt: Date(), publishedAt: Date(), reply: ReviewReply(text: "", at: Date()), hidden: hiding)
        try holds("Review", review)
    }

    func holds(_ name: String, _ full: some Encodable) throws {
        let written = Set(try WireJSON.decode([String: Ignored].self, from: WireJSON.encode(full)).keys)
        let schema = try #require(document.components.schemas[name])
        #expect(Set(try #require(schema.properties).keys) == written, "\(name)")
        #expect(Set(schema.required ?? []).isSubset(of: written), "\(name)")
    }
}
