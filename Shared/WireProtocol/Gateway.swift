// What the gateway answers by itself.

/// The answer to `POST /v1/photos`.
public struct Photo: Codable, Hashable, Sendable {
    /// The digest of the stored picture; part of its address, `/photos/{id}/{thumb|medium|full}`.
    public var id: String
    /// Pixels, of the full size as stored.
    public var width: Int
    public var height: Int

    public init(id: String, width: Int, height: Int) {
        self.id = id
        self.width = width
        self.height = height
    }
}

/// `GET /v1/about`.
public struct About: Codable, Hashable, Sendable {
    public var community: String
    public var regions: [String]
    /// ISO 4217.
    public var currency: String
    /// Where maps open when the person's position is not known.
    public var center: Position
    /// Where people may show by an email address that they belong; nil where there is none.
    public var campuses: [Campus]?
    /// Whether people of different campuses do not find each other; nil where there are none.
    public var campusesApart: Bool?
    /// True where people may show by a text that a telephone number is theirs; else absent.
    public var verifiesPhones: Bool?
    /// True where people may sign in with a passkey; else absent.
    public var passkeys: Bool?
    public var version: String

    public init(
        community: String, regions: [String], currency: String, center: Position, campuses: [Campus]? = nil,
        campusesApart: Bool? = nil, verifiesPhones: Bool? = nil, passkeys: Bool? = nil, version: String
    ) {
        self.community = community
        self.regions = regions
        self.currency = currency
        self.center = center
        self.campuses = campuses
        self.campusesApart = campusesApart
        self.verifiesPhones = verifiesPhones
        self.passkeys = passkeys
        self.version = version
    }
}

/// RFC 9457, with the fields that `/v1/openapi.json` names (`Problem`).
public struct Problem: Codable, Hashable, Sendable, Error {
    public var type: String
    public var title: String
    public var status: Int
    public var code: ErrorCode
    public var detail: String
    public var errors: [FieldError]

    public init(type: String, title: String, status: Int, code: ErrorCode, detail: String, errors: [FieldError]) {
        self.type = type
        self.title = title
        self.status = status
        self.code = code
        self.detail = detail
        self.errors = errors
    }
}
