import FIDO2
import ServiceKit
import WireProtocol

/// What a relying party checks of a new credential and of an assertion: the steps of the W3C's Web Authentication, Level 3, 7.1 and 7.2, as
/// far as nothing has to be looked up. Numbers are those of its steps.
struct PasskeyCeremonies: Hashable, Sendable {
    let party: RelyingParty

    /// A credential that was just made.
    struct Made: Hashable, Sendable {
        let challenge: String
        let credential: FIDO2.NewCredential
        let data: AuthenticatorData
    }

    /// What somebody has signed, read and not yet verified: whose it is has to be found out first.
    struct Claim: Hashable, Sendable {
        let challenge: String
        let credential: [UInt8]
        let userHandle: [UInt8]
        let data: AuthenticatorData
        fileprivate let clientData: [UInt8]
        fileprivate let signed: [UInt8]
        fileprivate let signature: [UInt8]
    }

    /// 7.1, steps 5 to 25, but for the challenge (8).
    func made(_ registration: PasskeyRegistration) throws(PasskeyRefusal) -> Made {
        let (clientData, bytes) = try ClientData.read(registration.response.clientDataJSON)
        try clientData.check(.create, for: party)
        guard let object = Base64URL.decode(registration.response.attestationObject) else { throw .unreadable }
        let new: FIDO2.NewCredential
        do throws(FIDO2Error) {
            // 12, 13, 20 to 24: the algorithm is one of those that were asked for, and the attestation none.
            new = try FIDO2.credential(attestationObject: object, clientData: bytes, party: party.id)
        } catch {
            throw PasskeyRefusal(error)
        }
        let data = try AuthenticatorData(new.authenticatorData)
        guard data.flags.contains(.credential) else { throw .unreadable }
        try data.check(for: party)
        // 25
        guard (1...1023).contains(new.id.count), registration.type == "public-key",
            Base64URL.decode(registration.id) == new.id
        else { throw .badID }
        return Made(challenge: clientData.challenge, credential: new, data: data)
    }

    /// 7.2, steps 5 to 18, but for the challenge (11) and whose it is (6).
    func claim(_ assertion: PasskeyAssertion) throws(PasskeyRefusal) -> Claim {
        let (clientData, bytes) = try ClientData.read(assertion.response.clientDataJSON)
        try clientData.check(.get, for: party)
        guard assertion.type == "public-key", let credential = Base64URL.decode(assertion.id), !credential.isEmpty,
            let signed = Base64URL.decode(assertion.response.authenticatorData),
            let signature = Base64URL.decode(assertion.response.signature), !signature.isEmpty,
            let handle = Base64URL.decode(assertion.response.userHandle ?? "")
        else { throw .unreadable }
        let data = try AuthenticatorData(signed)
        try data.check(for: party)
        return Claim(
            challenge: clientData.challenge, credential: credential, userHandle: handle, data: data, clientData: bytes,
            signed: signed, signature: signature)
    }

    /// 7.2, steps 20 and 21.
    func verify(_ claim: Claim, by key: FIDO2.PublicKey) throws(PasskeyRefusal) {
        do throws(FIDO2Error) {
            try FIDO2.verify(
                signature: claim.signature, over: claim.signed, clientData: claim.clientData, party: party.id, by: key)
        } catch {
            throw PasskeyRefusal(error)
        }
    }
}
