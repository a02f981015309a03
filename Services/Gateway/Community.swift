package import ServiceKit
package import WireProtocol

/// What this installation is: settings that people see.
package struct Community: Hashable, Sendable {
    package var name: String
    package var regions: [String]
    /// ISO 4217.
    package var currency: String
    /// IANA's name of the time zone of what people share that says no other.
    package var zone: String
    /// Where maps open when the person's position is not known.
    package var center: Position
    /// As browsers see it, without a slash at the end: `https://share.example.org`.
    package var publicURL: String
    /// Where people may show that they belong.
    package var campuses: CampusDirectory
    /// Whether people may show by a text that a telephone number is theirs.
    package var verifiesPhones: Bool
    /// Who we are to passkeys; nil where there are none.
    package var passkeys: RelyingParty?
    /// Whether browsers come by TLS, which we don't speak, and nobody is believed who says for whom they ask: then everybody has the address of
    /// the proxy, and shares one limit.
    package var hidesAddresses = false
    package var version: String

    package init(
        name: String, regions: [String], currency: String, center: Position, publicURL: String,
        campuses: CampusDirectory = .none, verifiesPhones: Bool = false, passkeys: RelyingParty? = nil,
        zone: String = "Asia/Singapore", version: String = Community.currentVersion
    ) {
        self.name = name
        self.regions = regions
        self.currency = currency
        self.zone = zone
        self.center = center
        self.publicURL = publicURL
        self.campuses = campuses
        self.verifiesPhones = verifiesPhones
        self.passkeys = passkeys
        self.version = version
    }

    package static let currentVersion = "0.1.0"

    /// Whether browsers reach it by TLS, so that cookies can insist on it.
    package var isSecure: Bool { publicURL.hasPrefix("https://") }

    package var about: About {
        About(
            community: name, regions: regions, currency: currency, center: center,
            campuses: campuses.all.isEmpty ? nil : campuses.all,
            campusesApart: campuses.all.isEmpty ? nil : campuses.areApart, verifiesPhones: verifiesPhones ? true : nil,
            passkeys: passkeys == nil ? nil : true,
            version: version)
    }
}
