#if canImport(FoundationEssentials)
    public import FoundationEssentials
#else
    public import Foundation
#endif

// Passkeys. What goes to a browser and comes from it has the names of the W3C's Web Authentication, Level 3, 5.1.8 to 5.1.10, so that
// `PublicKeyCredential.parseCreationOptionsFromJSON` and `toJSON` fit; bytes are base64url.

public typealias PasskeyID = ID<Passkey>

/// A passkey with which a person signs in. Only they see it.
public struct Passkey: Codable, Hashable, Sendable {
    public var id: PasskeyID
    public var name: String
    /// Whether it is kept elsewhere too, and outlives the device; else it is of this one device.
    public var synced: Bool
    public var addedAt: Date
    /// Absent until somebody has signed in with it.
    public var lastUsedAt: Date?
    /// The host name that it was made for, where that is not the present one: here it leads in no more. Absent where it does.
    public var elsewhere: String?

    public init(
        id: PasskeyID, name: String, synced: Bool, addedAt: Date, lastUsedAt: Date? = nil, elsewhere: String? = nil
    ) {
        self.id = id
        self.name = name
        self.synced = synced
        self.addedAt = addedAt
        self.lastUsedAt = lastUsedAt
        self.elsewhere = elsewhere
    }
}

public struct PasskeyReference: Codable, Hashable, Sendable {
    public var id: PasskeyID
    public init(id: PasskeyID) { self.id = id }
}

/// `POST /v1/me/passkeys/options`.
public struct PasskeyRequest: Codable, Hashable, Sendable {
    /// The account's own. Absent where it has none; then the session has to be young.
    public var password: String?
    public init(password: String? = nil) { self.password = password }
}

/// A credential by its id.
public struct PasskeyDescriptor: Codable, Hashable, Sendable {
    public var type: String
    public var id: String
    public var transports: [String]?

    public init(id: String, transports: [String]? = nil) {
        type = "public-key"
        self.id = id
        self.transports = transports
    }
}

/// `PublicKeyCredentialCreationOptionsJSON`.
public struct PasskeyCreationOptions: Codable, Hashable, Sendable {
    public struct Party: Codable, Hashable, Sendable {
        public var id: String
        public var name: String

        public init(id: String, name: String) {
            self.id = id
            self.name = name
        }
    }
    public struct User: Codable, Hashable, Sendable {
        /// Says nothing to anybody but us.
        public var id: String
        public var name: String
        public var displayName: String

        public init(id: String, name: String, displayName: String) {
            self.id = id
            self.name = name
            self.displayName = displayName
        }
    }
    public struct Parameters: Codable, Hashable, Sendable {
        public var type: String
        public var alg: Int

        public init(alg: Int) {
            type = "public-key"
            self.alg = alg
        }
    }
    public struct Selection: Codable, Hashable, Sendable {
        public var residentKey: String
        public var requireResidentKey: Bool
        public var userVerification: String

        public init() {
            residentKey = "required"
            requireResidentKey = true
            userVerification = "required"
        }
    }

    public var rp: Party
    public var user: User
    public var challenge: String
    public var pubKeyCredParams: [Parameters]
    /// In milliseconds.
    public var timeout: Int
    public var excludeCredentials: [PasskeyDescriptor]
    public var authenticatorSelection: Selection
    public var attestation: String

    public init(
        rp: Party, user: User, challenge: String, algorithms: [Int], timeout: Int,
        excludeCredentials: [PasskeyDescriptor]
    ) {
        self.rp = rp
        self.user = user
        self.challenge = challenge
        pubKeyCredParams = algorithms.map { Parameters(alg: $0) }
        self.timeout = timeout
        self.excludeCredentials = excludeCredentials
        authenticatorSelection = Selection()
        attestation = "none"
    }
}

/// `RegistrationResponseJSON`, as far as it is looked at.
public struct PasskeyRegistration: Codable, Hashable, Sendable {
    public struct Response: Codable, Hashable, Sendable {
        public var clientDataJSON: String
        public var attestationObject: String
        /// By which ways the authenticator can be reached (`internal`, `hybrid`, `usb` …).
        public var transports: [String]?

        public init(clientDataJSON: String, attestationObject: String, transports: [String]? = nil) {
            self.clientDataJSON = clientDataJSON
            self.attestationObject = attestationObject
            self.transports = transports
        }
    }
    public var id: String
    public var type: String
    public var response: Response

    public init(id: String, response: Response) {
        self.id = id
        type = "public-key"
        self.response = response
    }
}

/// `POST /v1/me/passkeys`.
public struct PasskeyDraft: Codable, Hashable, Sendable {
    public var name: String
    public var credential: PasskeyRegistration

    public init(name: String, credential: PasskeyRegistration) {
        self.name = name
        self.credential = credential
    }
}

/// `PUT /v1/me/passkeys/{id}`.
public struct PasskeyName: Codable, Hashable, Sendable {
    public var name: String
    public init(name: String) { self.name = name }
}

/// `PublicKeyCredentialRequestOptionsJSON`. Nobody is named: whose passkey it is, is found out by it.
public struct PasskeySignInOptions: Codable, Hashable, Sendable {
    public var challenge: String
    /// In milliseconds.
    public var timeout: Int
    public var rpId: String
    public var allowCredentials: [PasskeyDescriptor]
    public var userVerification: String

    public init(challenge: String, timeout: Int, rpId: String) {
        self.challenge = challenge
        self.timeout = timeout
        self.rpId = rpId
        allowCredentials = []
        userVerification = "required"
    }
}

/// `AuthenticationResponseJSON`, as far as it is looked at.
public struct PasskeyAssertion: Codable, Hashable, Sendable {
    public struct Response: Codable, Hashable, Sendable {
        public var clientDataJSON: String
        public var authenticatorData: String
        public var signature: String
        /// Whose it is, as we have called them when it was made.
        public var userHandle: String?

        public init(clientDataJSON: String, authenticatorData: String, signature: String, userHandle: String?) {
            self.clientDataJSON = clientDataJSON
            self.authenticatorData = authenticatorData
            self.signature = signature
            self.userHandle = userHandle
        }
    }
    public var id: String
    public var type: String
    public var response: Response

    public init(id: String, response: Response) {
        self.id = id
        type = "public-key"
        self.response = response
    }
}

/// `POST /v1/sessions/passkey`.
public struct PasskeySignIn: Codable, Hashable, Sendable {
    public var credential: PasskeyAssertion
    public init(credential: PasskeyAssertion) { self.credential = credential }
}

extension AuthMethods {
    package static let passkeys = Method<Nothing, Nothing, Page<Passkey>>("auth.passkeys", .query)
    /// Once the person has shown that it is them.
    package static let passkeyOptions = Method<Nothing, PasskeyRequest, PasskeyCreationOptions>(
        "auth.passkeyOptions", .command)
    package static let addPasskey = Method<Nothing, PasskeyDraft, Passkey>("auth.addPasskey", .command)
    package static let renamePasskey = Method<PasskeyReference, PasskeyName, Passkey>("auth.renamePasskey", .command)
    /// Refused where it is the only way in.
    package static let removePasskey = Method<PasskeyReference, Nothing, Nothing>("auth.removePasskey", .command)
    package static let passkeySignInOptions = Method<Nothing, Nothing, PasskeySignInOptions>(
        "auth.passkeySignInOptions", .command)
    package static let signInWithPasskey = Method<DeviceParameters, PasskeySignIn, SignedIn>(
        "auth.signInWithPasskey", .command)
}

extension ErrorCode {
    /// The challenge was used before, took too long, or is none of ours.
    public static let passkeyStale: ErrorCode = "passkey_stale"
    /// This passkey does not lead in: it is not known, was removed, or what it says cannot be believed.
    public static let passkeyRefused: ErrorCode = "passkey_refused"
    /// It is somebody's already.
    public static let passkeyTaken: ErrorCode = "passkey_taken"
    public static let tooManyPasskeys: ErrorCode = "too_many_passkeys"
}
