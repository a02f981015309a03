package import Configuration
import PlainText
import ServiceKit
import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// The gateway's settings; README.md lists them.
package struct GatewayConfiguration: Sendable {
    package var host: String
    package var port: Int
    package var community: Community
    package var photosDirectory: String
    /// Seconds for which a picture that was sent stays, whoever erases themselves: it may be about to be shown.
    package var photosRest: Int
    package var mapDirectory: String?
    package var importedMaps: String?
    package var tileServer: TileServer?
    package var vendorDirectory: String?
    package var proxies: TrustedProxies
    package var limits: [LimitClass: Int]
    package var streams: StreamRelay.Limits
    package var connections: ConnectionLimits
    /// What the gateway's own keys are made of: this role's bus key, which is the same in every replica and there after a restart.
    package var secret: [UInt8]

    /// - Throws: `ConfigurationProblem`, which names the setting.
    package init(_ config: ConfigReader) throws {
        host = config.string(forKey: "http.host", default: "127.0.0.1")
        port = try config.port("http.port", default: 8080)
        community = try Self.community(config)
        photosDirectory = try config.required("photos.directory")
        photosRest = config.int(forKey: "photos.rest", default: 600)
        mapDirectory = config.string(forKey: "map.directory")
        importedMaps = config.string(forKey: "map.imported")
        tileServer = try TileServer(config, isSecure: community.isSecure)
        vendorDirectory = config.string(forKey: "vendor.directory")
        do throws(TrustedProxies.Unreadable) {
            proxies = try TrustedProxies(Self.list(config, "trusted.proxies"))
        } catch {
            throw ConfigurationProblem.bad("trusted.proxies", "names \(error.entry), which is no address or network")
        }
        community.hidesAddresses = community.isSecure && proxies == TrustedProxies.none
        limits = [
            .read: config.int(forKey: "limits.read", default: 1200),
            .write: config.int(forKey: "limits.write", default: 300),
            .signIn: config.int(forKey: "limits.signin", default: 120),
            .photo: config.int(forKey: "limits.photo", default: 60),
            .username: config.int(forKey: "limits.username", default: 240),
        ]
        streams = StreamRelay.Limits(
            perPerson: config.int(forKey: "limits.streams.person", default: 12),
            perAddress: config.int(forKey: "limits.streams.address", default: 256))
        connections = ConnectionLimits(
            most: OpenFiles.connections(wanted: config.int(forKey: "limits.connections", default: 10_000)),
            perAddress: config.int(forKey: "limits.connections.address", default: 512),
            perSecond: config.int(forKey: "limits.connections.second", default: 512))
        secret = try Self.secret(config)
    }

    private static func community(_ config: ConfigReader) throws -> Community {
        let center = config.string(forKey: "community.center", default: "60.1711,24.9500")
        let numbers = center.split(separator: ",").compactMap { Double(decimal: String($0).trimmed) }
        guard numbers.count == 2, Position(latitude: numbers[0], longitude: numbers[1]).isValid else {
            throw ConfigurationProblem.bad("community.center", "is not latitude,longitude")
        }
        var url = try config.required("public.url")
        while url.hasSuffix("/") { url.removeLast() }
        guard url.hasPrefix("http://") || url.hasPrefix("https://") else {
            throw ConfigurationProblem.bad("public.url", "does not begin with http:// or https://")
        }
        return Community(
            name: try config.communityName(),
            regions: list(config, "community.regions"),
            currency: config.string(forKey: "community.currency", default: "SGD"),
            center: Position(latitude: numbers[0], longitude: numbers[1]), publicURL: url,
            campuses: try CampusDirectory(config), verifiesPhones: TextSetting.isOn(config),
            passkeys: RelyingParty(config), zone: config.string(forKey: "community.timezone", default: "Asia/Singapore")
        )
    }

    private static func list(_ config: ConfigReader, _ key: String) -> [String] {
        (config.stringArray(forKey: ConfigKey(path: key)) ?? []).map(\.trimmed.normalized).filter { !$0.isEmpty }
    }

    private static func secret(_ config: ConfigReader) throws -> [UInt8] {
        let path = try config.required("bus.secretkey")
        guard let secret = FileManager.default.contents(atPath: path) else {
            throw ConfigurationProblem.bad("bus.secretkey", "names \(path), which cannot be read")
        }
        return Array(secret)
    }
}
