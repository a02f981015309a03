import ServiceKit
import WireProtocol

/// What a browser says about a ceremony; the authenticator signs its hash (WebAuthn Level 3, 5.8.1).
struct ClientData: Codable, Hashable, Sendable {
    enum Ceremony: String, Sendable {
        case create = "webauthn.create"
        case get = "webauthn.get"
    }

    var type: String
    var challenge: String
    var origin: String
    var crossOrigin: Bool?
    var topOrigin: String?

    static let longest = 4096

    /// - Throws: `.unreadable`.
    static func read(_ text: String) throws(PasskeyRefusal) -> (data: ClientData, bytes: [UInt8]) {
        guard let bytes = Base64URL.decode(text), bytes.count <= longest,
            let data = try? WireJSON.decode(ClientData.self, from: bytes)
        else { throw .unreadable }
        return (data, bytes)
    }

    /// 7.1, steps 7 and 9 to 11; 7.2, steps 10 and 12 to 14. The challenge (7.1, step 8; 7.2, step 11) is looked at by who has made it.
    func check(_ ceremony: Ceremony, for party: RelyingParty) throws(PasskeyRefusal) {
        guard type == ceremony.rawValue else { throw .otherCeremony }
        guard party.origins.contains(origin) else { throw .otherOrigin }
        // None of our pages stands in a frame of somebody else's (`frame-ancestors 'none'`).
        guard crossOrigin != true, topOrigin == nil else { throw .framed }
    }
}
