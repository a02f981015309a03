import FoundationEssentials
import Hummingbird
import ServiceKit
import TestKit
import WireProtocol

@testable import GatewayService

/// The pages on a free port, before services that a test plays. There are the people who have joined, and what was shared and agreed; beside
/// that nothing has happened yet, unless a test says so.
struct PageDoor: Sendable {
    let port: Int
    let services: FakeBackend
    let here: PagePeople
    private let parts: DoorParts
    /// The spots that there are.
    let shared = Mutable<[Spot]>([])
    /// What is let, and when it is taken.
    let things = Mutable<[Thing]>([])
    let taken = Mutable<[ThingID: [TakenPeriod]]>([:])
    /// The last day on which anything may begin.
    let lastDay = Mutable<String?>(nil)
    /// What was agreed, or asked for.
    let rentals = Mutable<[Rental]>([])
    var relay: StreamRelay { parts.relay }

    /// Runs the pages as long as `body` does.
    /// - Parameters:
    ///   - texts: Whether the community sends texts to telephones.
    ///   - campusesApart: Whether it keeps its campuses apart.
    ///   - passkeys: Whether it has passkeys, as no community on plain HTTP does.
    ///   - hidesAddresses: Whether it stands behind a proxy that nobody has named.
    ///   - verticals: What people share in it.
    static func run(
        texts: Bool = true, campusesApart: Bool = false, passkeys: Bool = true, hidesAddresses: Bool = false,
        verticals: [any Vertical] = Verticals.all, _ body: @Sendable @escaping (PageDoor) async throws -> Void
    ) async throws {
        let directory = "/tmp/page-tests-\(UUID.version7())"
        defer { try? FileManager.default.removeItem(atPath: directory) }
        let here = PagePeople()
        let services = FakeBackend(unanswered: ServiceError.notFound("answer"))
        defer { services.end() }
        services.beQuiet()
        let parts = try parts(
            services, here, directory, texts: texts, campusesApart: campusesApart, passkeys: passkeys,
            hidesAddresses: hidesAddresses, verticals: verticals)
        try await LoopbackServer.run(parts) {
            let door = PageDoor(port: $0, services: services, here: here, parts: parts)
            door.showPeople()
            door.showSpots()
            door.showThings()
            door.showRentals()
            door.showShelf()
            try await body(door)
        }
    }

    private static func parts(
        _ services: FakeBackend, _ tokens: PagePeople, _ directory: String, texts: Bool, campusesApart: Bool,
        passkeys: Bool, hidesAddresses: Bool, verticals: [any Vertical]
    ) throws -> DoorParts {
        var campuses = try CampusDirectory(["hill=Hill Campus:hill.example.org"])
        campuses.areApart = campusesApart
        var community = Community(
            name: "Testholm", regions: ["North", "South"], currency: "EUR",
            center: Position(latitude: 60.17, longitude: 24.95), publicURL: "http://share.example",
            campuses: campuses, verifiesPhones: texts,
            passkeys: passkeys ? RelyingParty(publicURL: "https://share.example") : nil)
        community.hidesAddresses = hidesAddresses
        let csrf = CSRF(key: TestDoor.csrfKey, publicURL: community.publicURL)
        let photos = try PhotoStore(directory: directory, logger: TestDoor.logger)
        let relay = StreamRelay(ids: TestDoor.ids, logger: TestDoor.logger)
        var pages = PageServices(
            backend: services, community: community, photos: photos, relay: relay,
            sessions: WebSessions(backend: services, tokens: tokens, csrf: csrf, secure: false), csrf: csrf,
            assets: AssetCatalog([]), resources: GatewayResources(), logger: TestDoor.logger)
        pages.verticals = verticals
        return DoorParts(pages: pages, photos: photos, limits: RateLimits(perMinute: [:]))
    }

    /// Somebody who has just joined.
    func join(_ name: String) async throws -> PageVisitor {
        let visitor = PageVisitor(port: port)
        _ = try await visitor.post(
            "/join", ["name": name, "email": "\(UUID.version7())@example.org", "password": "a good long one"])
        return visitor
    }

    /// What it answers outside of `/v1`: patterns of addresses, with their methods.
    func pages() throws -> [(path: String, method: String)] {
        try Door.router(parts).routes.map { ($0.path.description, $0.method.rawValue) }
            .filter { !$0.0.hasPrefix("/v1/") }
    }

    /// From now on this waits for whoever asks listings.
    func waits(_ items: [WaitingItem]) { services.answer(PeerRole.listings.methods.waiting, Page(items: items)) }

    /// From now on there are the places of `PagePlaces`, or none.
    func knowPlaces(_ known: Bool = true) { services.know(known ? PagePlaces.all : []) }
}

extension FakeBackend {
    /// Services of a community in which nothing has happened yet, unless a test says more: what pages ask for beside what they are about.
    fileprivate func beQuiet() {
        know([])
        answer(AuthMethods.identityProviders, IdentityProviders(items: [], passwords: true))
        answer(AuthMethods.identities, Page(items: []))
        answer(AuthMethods.blocks, Page(items: []))
        on(AuthMethods.friend) { request in
            Friend(person: PersonSummary(id: request.parameters.id, name: "Somebody"), state: .none)
        }
        answer(AuthMethods.friends, Page(items: []))
        answer(AuthMethods.mutualFriends, MutualFriends(items: [], count: 0))
        answer(AuthMethods.encounters, Page(items: []))
        for service in Capability.waiting.services { answer(service.methods.waiting, Page(items: [])) }
        for service in Capability.commitments.services { answer(service.methods.commitments, Page(items: [])) }
        for service in Capability.calendarEntries.services { answer(service.methods.calendarEntries, Page(items: [])) }
        for service in Capability.shelf.services { answer(service.methods.shelf, Page(items: [])) }
        answer(AuthMethods.reviews, Page(items: []))
        answer(RidesMethods.rides, Page(items: []))
        answer(MatchingMethods.restaurants, Page(items: []))
        answer(MatchingMethods.seekers, Page(items: []))
        answer(MatchingMethods.rideSeekers, Page(items: []))
        answer(MatchingMethods.orders, Page(items: []))
        answer(MatchingMethods.matches, Page(items: []))
        answer(MatchingMethods.availability, OwnAvailability(availability: nil))
        answer(AuthMethods.notices, Page(items: []))
        answer(ChatMethods.rooms, Page(items: []))
        answer(ChatMethods.unread, UnreadCount(rooms: 0))
        on(AuthMethods.cases) { request in
            try request.caller.require(.moderator)
            return Page(items: [])
        }
    }
}

extension ServiceError {
    /// What a caller gets where something may have been done and the answer did not come.
    static let lost = ServiceError(.outcomeUnknown, "No answer in time.")
    /// What services answer where a request id comes again with other content.
    static let doneBefore = ServiceError(.idempotencyMismatch, "Used for another request.")
}

extension Caller {
    /// As services refuse whoever lacks a role.
    func require(_ role: PersonRole) throws {
        guard roles.contains(role) else { throw ServiceError(.forbidden, "Only for those in charge.") }
    }
}

/// A browser without scripts: keeps cookies, sends forms with their token.
final class PageVisitor: @unchecked Sendable {
    // Used by one test at a time, in order.
    private let port: Int
    var cookies: [String: String] = [:]
    private(set) var token = ""

    init(port: Int) { self.port = port }

    /// As in another window that was opened before: without what came since.
    func forget() { cookies = [:] }

    func get(_ path: String, _ headers: [(String, String)] = []) async throws -> RawResponse {
        try await send("GET", path, headers, [])
    }

    func post(
        _ path: String, _ fields: [String: String], _ headers: [(String, String)] = [], withToken: Bool = true,
        from site: String? = "same-origin"
    ) async throws -> RawResponse {
        if withToken, token.isEmpty, !cookies.isEmpty { _ = try await get("/me") }
        var fields = fields
        if withToken { fields["csrf"] = token }
        let body = fields.map { "\($0)=\(Self.encoded($1))" }.joined(separator: "&")
        let origin = site.map { [("Sec-Fetch-Site", $0)] } ?? []
        let type = [("Content-Type", "application/x-www-form-urlencoded")]
        return try await send("POST", path, type + origin + headers, Array(body.utf8))
    }

    /// A form with a file, as browsers send it.
    func upload(
        _ path: String, _ fields: [String: String], file: [UInt8], named name: String = "picture.jpg"
    ) async throws -> RawResponse {
        if token.isEmpty, !cookies.isEmpty { _ = try await get("/me") }
        let boundary = "----\(UUID.version7())"
        var body: [UInt8] = []
        for (name, value) in fields.merging(["csrf": token], uniquingKeysWith: { $1 }) {
            body += Array(
                "--\(boundary)\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(value)\r\n".utf8)
        }
        let disposition = "form-data; name=\"file\"; filename=\"\(name)\""
        body += Array(
            "--\(boundary)\r\nContent-Disposition: \(disposition)\r\nContent-Type: image/jpeg\r\n\r\n".utf8)
        body += file + Array("\r\n--\(boundary)--\r\n".utf8)
        let type = "multipart/form-data; boundary=\(boundary)"
        return try await send("POST", path, [("Content-Type", type), ("Sec-Fetch-Site", "same-origin")], body)
    }

    func send(
        _ method: String, _ path: String, _ headers: [(String, String)], _ body: [UInt8]
    ) async throws -> RawResponse {
        let jar = cookies.map { "\($0)=\($1)" }.joined(separator: "; ")
        let all = headers + [("Accept", "text/html")] + (jar.isEmpty ? [] : [("Cookie", jar)])
        let answer = try await RawHTTP.send(port: port, method, path, all, body: body)
        for line in answer.all("Set-Cookie") {
            let pair = line.prefix { $0 != ";" }.split(separator: "=", maxSplits: 1)
            cookies[String(pair[0])] = pair.count > 1 ? String(pair[1]) : nil
        }
        if let found = answer.text.firstRange(of: "name=\"csrf\" value=\"") {
            token = String(answer.text[found.upperBound...].prefix { $0 != "\"" })
        }
        return answer
    }

    private static func encoded(_ text: String) -> String {
        text.utf8.map { "%" + ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }
}
