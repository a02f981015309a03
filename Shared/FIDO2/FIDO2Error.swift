import CFIDO2

/// Why what an authenticator sent is not believed.
package enum FIDO2Error: Error, Hashable, CustomStringConvertible {
    /// It cannot be read: not CBOR, cut off, or of an algorithm that is not taken.
    case malformed
    /// An attestation that was not asked for, or one that its own key did not make.
    case attestation
    /// No public key of its kind.
    case key
    /// Not for this relying party, or nobody was there, or nobody has shown who they are.
    case parameters
    case signature
    case outOfMemory
    /// libfido2's number.
    case other(Int32)

    init(_ result: Int32) {
        switch result {
        case FIDO_ERR_INVALID_SIG: self = .signature
        case FIDO_ERR_INVALID_PARAM: self = .parameters
        case FIDO_ERR_INVALID_ARGUMENT: self = .malformed
        default: self = .other(result)
        }
    }

    package var description: String {
        switch self {
        case .malformed: "What the authenticator sent cannot be read, or is of an algorithm that is not taken."
        case .attestation: "The attestation is none that was asked for."
        case .key: "The public key is none."
        case .parameters: "The authenticator was asked by somebody else, or by nobody who was there."
        case .signature: "The signature is not by this key over this."
        case .outOfMemory: "There was not enough memory."
        case .other(let number): "libfido2 refuses it (\(number))."
        }
    }
}
