import HTTPTypes
import Hummingbird
import NIOCore
import PlainText
import WireProtocol

/// What everybody may know of where a thing is: a street and a town, without the number of the house.
///
/// `/sharing/neighbourhood?at=lat,lng` says it to `sharing.js`; a form that came without it says it itself.
enum Neighbourhood {
    static func register(on routes: PageRoutes) {
        routes.get("/sharing/neighbourhood") { visit in
            try visit.context.requirePerson()
            guard let point = Position(written: visit.query("at")) else {
                throw ServiceError(.malformed, "Say where: at=latitude,longitude.")
            }
            guard let name = await name(of: point, in: visit) else {
                return Response(status: .noContent, headers: [.cacheControl: "no-store"])
            }
            let bytes = try WireJSON.encode(["name": name])
            return Response(
                status: .ok, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        }
    }

    /// Nil where no place is known, or places is away: it can be typed.
    static func name(of point: Position, in visit: Visit) async -> String? {
        let query = ReversePlaceQuery(at: point, language: visit.words.code)
        guard let found = try? await visit.ask(PlacesMethods.reverse, query, Nothing(), within: 2) else { return nil }
        return withoutNumbers(found.name).nonEmpty.map { PlaceNaming.text($0, in: visit.words) }
    }

    /// `Fabianinkatu 33 B, 00100 Helsinki` becomes `Fabianinkatu, Helsinki`: where a number is, one could ring.
    static func withoutNumbers(_ name: String) -> String {
        // By scalars: a digit behind an accent is one.
        name.unicodeScalars.split(separator: ",").map { part in
            let words = part.split(separator: " ")
            var afterNumber = false
            return words.filter { word in
                let isNumber = isNumber(word) || (afterNumber && word.count == 1)
                afterNumber = isNumber
                return !isNumber
            }.map { String($0) }.joined(separator: " ")
        }.filter { !$0.isEmpty }.joined(separator: ", ")
    }

    /// `33`, `33B`, `12-14`, `#04-11`; and not `5th`.
    private static func isNumber(_ word: Substring.UnicodeScalarView) -> Bool {
        word.contains { $0.properties.numericType != nil } && word.count { $0.properties.isAlphabetic } <= 1
    }
}
