import Configuration
import FoundationEssentials
import PlainText
import ServiceKit
import WebClient
import WireProtocol

/// An identity provider, as the operator describes it.
struct ProviderSettings: Hashable, Sendable {
    /// As it stands in addresses; never given to another provider.
    var id: String
    /// What its button says.
    var name: String
    /// Compared with what the provider says of itself, to the letter.
    var issuer: String
    var client: String
    /// Nil for a public client, whom PKCE alone protects.
    var secret: String?
    /// Whether every address that the provider gives is the person's, though it does not say so of each.
    var emailsAreVerified = false
    /// Certificates to trust instead of the system's.
    var certificates: String?

    var shown: IdentityProvider { IdentityProvider(id: id, name: name) }
}

extension ProviderSettings: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Without the secret, in logs and wherever else a value is turned into text.
    var description: String { "\(id) at \(issuer)" }
    var debugDescription: String { description }
    var customMirror: Mirror { Mirror(self, children: ["id": id, "issuer": issuer]) }
}

/// Who else says who people are.
struct IdentitySettings: Hashable, Sendable {
    var providers: [ProviderSettings] = []
    /// Whether one may join with a password, too.
    var passwords = true

    init() {}

    /// Reads the operator's file; none, or an empty one, is no provider.
    init(_ config: ConfigReader) throws(ConfigurationProblem) {
        guard let path = config.string(forKey: "identity.file"), !path.isEmpty else { return }
        guard let bytes = FileManager.default.contents(atPath: path) else {
            throw .bad("identity.file", "names \(path), which cannot be read")
        }
        guard !bytes.isEmpty else { return }
        do throws(Unreadable) {
            self = try Self.read(Array(bytes))
        } catch {
            throw .bad("identity.file", "names \(path), in which \(error.reason)")
        }
    }

    /// What is wrong with the file; continues "in which …". Nothing of what stands in it is repeated but ids and addresses.
    struct Unreadable: Error, Hashable { let reason: String }

    private struct File: Decodable {
        var passwords: Bool?
        var providers: [Entry]
    }

    private struct Entry: Decodable {
        var id: String
        var name: String
        var issuer: String
        var client: String
        var secret: String?
        var emailsAreVerified: Bool?
        var certificates: String?
    }

    static func read(_ bytes: [UInt8]) throws(Unreadable) -> IdentitySettings {
        let file: File
        do {
            file = try WireJSON.decode(File.self, from: bytes)
        } catch {
            throw Unreadable(reason: "what is expected is not there: \((error as? ServiceError)?.detail ?? "")")
        }
        var settings = IdentitySettings()
        settings.passwords = file.passwords ?? true
        for entry in file.providers {
            guard (1...20).contains(entry.id.utf8.count),
                entry.id.utf8.allSatisfy({ (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x2D })
            else { throw Unreadable(reason: "an id is not 1 to 20 letters from a to z, digits and hyphens") }
            guard !settings.providers.contains(where: { $0.id == entry.id || $0.issuer == entry.issuer }) else {
                throw Unreadable(reason: "\(entry.id) or its issuer stands twice")
            }
            guard WebAddress(entry.issuer) != nil, !entry.issuer.contains("?"), entry.issuer.utf8.count <= 300 else {
                throw Unreadable(reason: "the issuer of \(entry.id) is no https address without a query")
            }
            guard let name = entry.name.nonEmpty, !entry.client.isEmpty, entry.secret != "" else {
                throw Unreadable(reason: "\(entry.id) has an empty name, client or secret")
            }
            settings.providers.append(
                ProviderSettings(
                    id: entry.id, name: name, issuer: entry.issuer, client: entry.client, secret: entry.secret,
                    emailsAreVerified: entry.emailsAreVerified ?? false, certificates: entry.certificates))
        }
        guard settings.passwords || !settings.providers.isEmpty else {
            throw Unreadable(reason: "nobody could join: there is neither a provider nor are there passwords")
        }
        return settings
    }
}
