import Crypto
import HTTPTypes
import Hummingbird
import NIOCore
import WireProtocol

/// `/calendar/{token}.ics` and `/v1/calendar.ics?token=`: what calendar programs read, of whoever has the address. No session is looked at;
/// where the address leads to nobody, nothing more is said than that.
enum CalendarFeedFile {
    private static let ending = ".ics"
    /// More than this many pages of entries are nobody's calendar.
    private static let mostPages = 20

    static func register(on routes: PageRoutes) {
        routes.get("/calendar/{token}", forSuspended: true) { visit in
            let name = visit.context.parameters.get("token") ?? ""
            guard name.hasSuffix(ending) else { throw ServiceError.notFound("page") }
            return try await file(of: String(name.dropLast(ending.count)), visit)
        }
    }

    static func file(of token: String, _ visit: Visit) async throws -> Response {
        let owner: CalendarOwner
        do {
            owner = try await visit.ask(AuthMethods.calendarOwner, CalendarToken(token: token), Nothing())
        } catch let error as ServiceError where [.notFound, .malformed, .invalid].contains(error.code) {
            throw ServiceError.notFound("page")
        }
        var entries: [CalendarEntry] = []
        // Not without one that is away: what is missing would vanish from the calendar.
        for service in Capability.calendarEntries.services {
            entries += try await Self.entries(of: owner.person, in: service, visit)
        }
        let catalogues = visit.site.catalogues
        let words = catalogues.words(for: owner.language ?? catalogues.codes.first ?? "en")
        let file = CalendarFile(
            name: visit.community.name, publicURL: visit.community.publicURL, words: words, verticals: visit.verticals)
        return answer(file.bytes(of: entries), to: visit.request)
    }

    private static func entries(
        of person: PersonID, in service: PeerRole, _ visit: Visit
    ) async throws -> [CalendarEntry] {
        var entries: [CalendarEntry] = []
        var query = CalendarEntriesQuery(person: person)
        for _ in 0..<mostPages {
            let page = try await visit.ask(service.methods.calendarEntries, query, Nothing())
            entries += page.items
            guard let next = page.next else { break }
            query.cursor = next
        }
        return entries
    }

    private static func answer(_ bytes: [UInt8], to request: Request) -> Response {
        let tag = "\"\(HexText.text(of: SHA256.hash(data: bytes).prefix(12)))\""
        var headers: HTTPFields = [
            .eTag: tag, .cacheControl: "private, max-age=300", .contentType: "text/calendar; charset=utf-8",
        ]
        headers[.contentDisposition] = "inline; filename=\"kampong.ics\""
        if EntityTags.matches(request.headers, tag) { return EntityTags.notModified(headers) }
        return Response(status: .ok, headers: headers, body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
    }
}
