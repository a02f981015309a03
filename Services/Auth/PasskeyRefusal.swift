import FIDO2
import WireProtocol

/// Why a passkey is not taken. All but the last ones are said before anything is looked up, and so say nothing about anybody.
enum PasskeyRefusal: Error, Hashable, Sendable {
    /// No base64url, no JSON, no CBOR, cut off, or of an algorithm that is not taken.
    case unreadable
    /// Made for the other one of adding and signing in.
    case otherCeremony
    case otherOrigin
    case framed
    case otherParty
    case nobodyThere
    case notVerified
    /// Says that it is kept elsewhere, and that it cannot be.
    case contradiction
    case attestation
    /// Its id is longer than 1023 bytes, or not what the browser calls it.
    case badID
    /// Nobody's here, somebody else's, or not signed by it.
    case unknown
    /// Its counter did not go on: there is a copy of it.
    case copied

    init(_ error: FIDO2Error) {
        switch error {
        case .malformed, .key, .outOfMemory, .other: self = .unreadable
        case .attestation: self = .attestation
        case .parameters: self = .otherParty
        case .signature: self = .unknown
        }
    }

    var code: String {
        switch self {
        case .unreadable: "unreadable"
        case .otherCeremony: "other_ceremony"
        case .otherOrigin: "other_origin"
        case .framed: "framed"
        case .otherParty: "other_party"
        case .nobodyThere: "nobody_there"
        case .notVerified: "not_verified"
        case .contradiction: "contradiction"
        case .attestation: "attestation"
        case .badID: "bad_id"
        case .unknown: "unknown"
        case .copied: "copied"
        }
    }

    private var words: String {
        switch self {
        case .unreadable: "What the device sent cannot be read, or is of a kind that is not taken here."
        case .otherCeremony: "This was made for something else."
        case .otherOrigin: "This was made on a page that is not ours."
        case .framed: "This was made within a page of somebody else's."
        case .otherParty: "This passkey belongs to another site."
        case .nobodyThere: "The device does not say that somebody was there."
        case .notVerified: "The device has to ask for your finger, your face or a code."
        case .contradiction: "The device contradicts itself about where the passkey is kept."
        case .attestation: "The device sent an attestation that was not asked for."
        case .badID: "The passkey's name is not what it should be."
        case .unknown: "This passkey does not lead in here. It may have been removed; sign in another way."
        case .copied: "This passkey seems to have been copied, so it is not taken. Sign in another way, and remove it."
        }
    }

    private var fields: [FieldError] { [FieldError("credential", code, words)] }

    /// To who wants to add one.
    var whenAdding: ServiceError { .invalid(fields) }

    /// To who wants to come in.
    var atTheDoor: ServiceError { ServiceError(.passkeyRefused, words, errors: fields) }
}
