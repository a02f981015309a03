import PlainText

// Campuses: where people belong who showed that they have an email address there.

/// `GET /v1/about` names them; people carry the id.
public struct Campus: Codable, Hashable, Sendable {
    /// Lower-case letters, digits and hyphens. Never given another meaning: people keep it.
    public var id: String
    public var name: String

    public init(id: String, name: String) {
        self.id = id
        self.name = name
    }
}

/// `POST /v1/me/email-verifications`.
public struct EmailVerificationRequest: Codable, Hashable, Sendable {
    /// At a domain of one of the community's campuses.
    public var email: String
    public init(email: String) { self.email = email }
}

/// `POST /v1/me/email-verifications/confirm`.
public struct EmailVerification: Codable, Hashable, Sendable {
    /// The six digits of the mail.
    public var code: String
    public init(code: String) { self.code = code }
}

extension AuthMethods {
    /// The same answer whether or not somebody has verified the address before.
    package static let requestEmailVerification = Method<LanguageParameters, EmailVerificationRequest, Nothing>(
        "auth.requestEmailVerification", .command)
    package static let verifyEmail = Method<Nothing, EmailVerification, Person>("auth.verifyEmail", .command)
}

/// The community's campuses and the domains of their email addresses, as the operator writes them.
package struct CampusDirectory: Hashable, Sendable {
    /// Why an entry cannot be read.
    package struct Unreadable: Error, Hashable { package let entry: String }

    package static let none = CampusDirectory(all: [], domains: [:])

    package let all: [Campus]
    /// Whether people of one campus do not find, meet or hear of people of another one. Who belongs to none is together with others who belong
    /// to none.
    package var areApart = false
    private let domains: [String: Campus]

    /// - Parameter entries: `kumpula=Kumpula Campus:kumpula.example.org+cs.example.org`; a domain that begins with a dot means all
    ///   below it.
    package init(_ entries: [String]) throws(Unreadable) {
        var (all, domains) = ([Campus](), [String: Campus]())
        for entry in entries {
            guard let (campus, named) = Self.read(entry), !all.contains(where: { $0.id == campus.id }),
                named.allSatisfy({ domains[$0] == nil })
            else { throw Unreadable(entry: entry) }
            all.append(campus)
            for domain in named { domains[domain] = campus }
        }
        self.init(all: all, domains: domains)
    }

    private init(all: [Campus], domains: [String: Campus]) {
        self.all = all
        self.domains = domains
    }

    private static func read(_ entry: String) -> (Campus, Set<String>)? {
        let halves = entry.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard halves.count == 2, let colon = halves[1].lastIndex(of: ":") else { return nil }
        let name = halves[1][..<colon].trimmed
        let id = halves[0].trimmed
        let named = halves[1][halves[1].index(after: colon)...].split(
            separator: "+", omittingEmptySubsequences: false
        )
        .map { DomainName.mapped($0.trimmed) }
        let domains = named.map(DomainName.ascii)
        guard !name.isEmpty, (1...40).contains(id.utf8.count), id.utf8.allSatisfy(isOfID), !domains.isEmpty,
            Set(domains).count == domains.count, named.allSatisfy(isDomain)
        else { return nil }
        return (Campus(id: id, name: name), Set(domains))
    }

    package subscript(id: String) -> Campus? { all.first { $0.id == id } }

    /// Whose domain it is, whichever way it is written.
    package func campus(ofDomain written: String) -> Campus? {
        let domain = DomainName.ascii(written)
        if let campus = domains[domain] { return campus }
        var rest = domain[...]
        while let dot = rest.firstIndex(of: ".") {
            rest = rest[dot...]
            if let campus = domains[String(rest)] { return campus }
            rest = rest.dropFirst()
        }
        return nil
    }

    private static func isOfID(_ byte: UInt8) -> Bool {
        ("a"..."z").contains(Character(UnicodeScalar(byte))) || ("0"..."9").contains(Character(UnicodeScalar(byte)))
            || byte == UInt8(ascii: "-")
    }

    /// As addresses have it: at least two labels, nothing that stands for something else.
    private static func isDomain(_ text: String) -> Bool {
        let labels = text.drop { $0 == "." }.split(separator: ".", omittingEmptySubsequences: false)
        return !text.hasPrefix("..") && labels.count >= 2
            && labels.allSatisfy { !$0.isEmpty && !$0.contains { $0.isWhitespace || "@,;:/=+*".contains($0) } }
    }
}
