internal import Argon2
internal import Configuration
internal import PlainText
internal import ServiceKit
internal import WireProtocol

#if canImport(FoundationEssentials)
    internal import FoundationEssentials
#else
    internal import Foundation
#endif

/// The settings of auth beside those that every service has; README.md lists them.
struct AuthConfiguration: Sendable {
    /// Where the secrets file is, or is to be made.
    var secrets: String
    var rules = ProfileRules()
    var limits = AttemptLimits()
    var friends = FriendLimits()
    var blocks = BlockLimits()
    var sessions = SessionPolicy()
    var rotation = KeyRotation()
    var resets = ResetPolicy()
    var campuses = CampusDirectory.none
    var verifications = VerificationPolicy()
    var phones = PhonePolicy()
    var reviews = ReviewPolicy()
    var identities = IdentitySettings()
    var identitySignIns = IdentityPolicy()
    var passkeys = PasskeyPolicy()
    /// Who we are to passkeys; nil where there are none.
    var party: RelyingParty?
    var reports = ReportPolicy()
    /// OWASP's first choice: 19 MiB, two passes, one lane.
    var cost = Argon2.Cost(operations: 2, memoryBytes: 19 << 20)
    /// Password hashes that are made at the same time, and that wait for their turn. No more than there are processors: they would
    /// only share them. No more than eight: each holds its memory.
    var hashesAtOnce = min(max(2, ProcessInfo.processInfo.activeProcessorCount), 8)
    var hashesWaiting = 64

    init(secrets: String) { self.secrets = secrets }

    /// - Throws: `ConfigurationProblem`, naming the key.
    init(_ config: ConfigReader) throws {
        secrets = try config.required("auth.secrets")
        rules.regions = (config.stringArray(forKey: "community.regions") ?? []).compactMap { $0.nonEmpty?.normalized }
        if let path = config.string(forKey: "auth.passwords")?.nonEmpty { rules.common = try Self.passwords(at: path) }
        campuses = try CampusDirectory(config)
        limits.pair = try config.count("auth.limits.pair", default: limits.pair)
        limits.address = try config.count("auth.limits.address", default: limits.address)
        limits.email = try config.count("auth.limits.email", default: limits.email)
        limits.window = try config.time("auth.limits.window", default: limits.window)
        friends.most = try config.count("auth.friends", default: friends.most)
        blocks.most = try config.count("auth.blocks", default: blocks.most)
        sessions.access = try config.time("auth.access.lifetime", default: sessions.access)
        sessions.idle = try config.time("auth.session.lifetime", default: sessions.idle)
        sessions.absolute = try config.time("auth.session.absolute", default: sessions.absolute)
        sessions.grace = try config.time("auth.refresh.grace", default: sessions.grace)
        rotation.period = try config.time("auth.keys.period", default: rotation.period)
        rotation.lead = min(rotation.lead, rotation.period / 2)
        rotation.retention = max(rotation.retention, sessions.access * 2)
        resets.perAddress = try config.count("auth.resets.address", default: resets.perAddress)
        resets.perNetwork = try config.count("auth.resets.network", default: resets.perNetwork)
        verifications.perPerson = try config.count("auth.campus.person", default: verifications.perPerson)
        verifications.perAddress = try config.count("auth.campus.address", default: verifications.perAddress)
        phones.isOn = TextSetting.isOn(config)
        phones.perPerson = try config.count("auth.phone.person", default: phones.perPerson)
        phones.perNumber = try config.count("auth.phone.number", default: phones.perNumber)
        phones.inAll = try config.count("auth.phone.texts", default: phones.inAll)
        phones.prefixes = try config.prefixes("auth.phone.prefixes")
        reviews.blind = try config.time("auth.reviews.blind", default: reviews.blind)
        identities = try IdentitySettings(config)
        (identitySignIns.perNetwork, identitySignIns.window) = (limits.address, limits.window)
        party = RelyingParty(config)
        passkeys.most = try config.count("auth.passkeys", default: passkeys.most)
        passkeys.community = try config.communityName()
        reports.most = try config.count("auth.reports", default: reports.most)
        cost = Argon2.Cost(
            operations: try config.count("auth.argon2.passes", default: cost.operations),
            memoryBytes: 1024 * (try config.count("auth.argon2.memory", default: cost.memoryBytes / 1024)))
        guard cost.memoryBytes >= Argon2.Cost.cheapest.memoryBytes else {
            throw ConfigurationProblem.bad("auth.argon2.memory", "is below the 8 KiB that Argon2id needs")
        }
        hashesAtOnce = try config.count("auth.argon2.concurrency", default: hashesAtOnce)
        hashesWaiting = try config.count("auth.argon2.queue", default: hashesWaiting)
    }
}

extension AuthConfiguration {
    private static func passwords(at path: String) throws(ConfigurationProblem) -> CommonPasswords {
        guard let bytes = FileManager.default.contents(atPath: path),
            let common = CommonPasswords(zxcvbn: String(decoding: bytes, as: UTF8.self))
        else { throw .bad("auth.passwords", "names \(path), which has no list of passwords as zxcvbn has it") }
        return common
    }
}

extension ConfigReader {
    /// Country codes: `+65`.
    fileprivate func prefixes(_ key: String) throws(ConfigurationProblem) -> [String] {
        let prefixes = (stringArray(forKey: ConfigKey(path: key)) ?? []).compactMap(\.nonEmpty)
        for prefix in prefixes where !prefix.isWhole(/\+[1-9][0-9]{0,14}/) {
            throw .bad(key, "has \(prefix), which is no country's code with its plus sign")
        }
        return prefixes
    }

    fileprivate func count(_ key: String, default otherwise: Int) throws(ConfigurationProblem) -> Int {
        let count = int(forKey: ConfigKey(path: key), default: otherwise)
        guard (1...1_000_000).contains(count) else { throw .bad(key, "is not a number from 1 to 1000000") }
        return count
    }

    fileprivate func time(_ key: String, default otherwise: TimeInterval) throws(ConfigurationProblem) -> TimeInterval {
        let duration = try seconds(key, default: .seconds(otherwise))
        guard duration >= .seconds(1) else { throw .bad(key, "is less than a second") }
        return TimeInterval(duration.components.seconds)
    }
}
