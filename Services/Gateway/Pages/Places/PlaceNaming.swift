import HTTPTypes
import Hummingbird
import NIOCore
import PlainText
import WireProtocol

/// What a point is called where nobody has called it anything: `near Fabianinkatu 33, Helsinki`.
///
/// `/places/name?at=lat,lng` says it to `naming.js`, in the reader's language; a form that came without a name says it itself.
enum PlaceNaming {
    /// As long as the name of a spot may be.
    private static let longest = 120

    static func register(on routes: PageRoutes) {
        routes.get("/places/name") { visit in
            guard let point = Position(written: visit.query("at")) else {
                throw ServiceError(.malformed, "Say where: at=latitude,longitude.")
            }
            guard let name = try await name(near: point, in: visit) else {
                return Response(status: .noContent, headers: [.cacheControl: "no-store"])
            }
            let bytes = try WireJSON.encode(["name": name])
            return Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        }
    }

    /// Nil where no place is known at all.
    static func name(near point: Position, in visit: Visit) async throws -> String? {
        do {
            let query = ReversePlaceQuery(at: point, language: visit.words.code)
            let found = try await visit.ask(PlacesMethods.reverse, query, Nothing(), within: 2)
            return text(found.name, in: visit.words)
        } catch let error as ServiceError where error.code == .notFound {
            return nil
        }
    }

    static func text(_ name: String, in words: Words) -> String {
        let whole = words["places.near", ["name": name]]
        return whole.count <= longest ? whole : whole.prefix(longest - 1).trimmed + "…"
    }
}
