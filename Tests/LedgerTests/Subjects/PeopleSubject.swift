import Foundation
import KampongClient
import TestKit
import WireProtocol

/// What `auth` keeps of people, and the names that others keep for themselves.
struct PeopleSubject: LedgerSubject {
    /// Who knows people by name, in a table `people` that follows auth's events.
    static let keepers = Capability.people.services.map(\.rawValue)

    let service = PeerRole.auth

    func command(for person: LedgerPerson, using random: inout SeededGenerator) -> (any LedgerCommand)? {
        // Signing up costs a password hash; one in ten is enough.
        Int.random(in: 0..<10, using: &random) == 0 ? JoinCommand() : RenameCommand(person: person.id!)
    }

    var rows: [String: String] {
        Self.keepers.reduce(into: ["accounts": "SELECT id, email, name, version FROM auth.accounts"]) { rows, keeper in
            rows[Self.rows(of: keeper)] = "SELECT id, name FROM \(keeper).people"
        }
    }

    /// What the rows of a keeper are called.
    static func rows(of keeper: String) -> String { "people of \(keeper)" }

    var projections: [String] { Self.keepers.map { "\($0).people" } }

    /// Auth makes the keys that it signs tokens with when they are due.
    func isOfItsOwn(_ event: PublishedEvent) -> Bool { event.type == SigningKeysChanged.type }

    private struct Account: Decodable {
        var id: PersonID
        var email: String
        var name: String
        var version: Int
    }

    private struct Name: Decodable, Hashable {
        var id: PersonID
        var name: String
    }

    func audit(_ evidence: LedgerEvidence, _ work: AttributedWork) -> [Finding] {
        do {
            let published = published(evidence)
            return try accounts(evidence, work)
                + Self.keepers.flatMap { keeper in
                    try names(published, of: keeper, evidence) + applications(published, of: keeper, evidence)
                }
        } catch { return [Finding(.rowsDiffer, "the rows of people cannot be read: \(error)")] }
    }

    /// Each sign-up made one account; its name is the last that was given, and its version counts the changes.
    private func accounts(_ evidence: LedgerEvidence, _ work: AttributedWork) throws -> [Finding] {
        let accounts = try evidence.rows("accounts", as: Account.self)
        let twice = Dictionary(grouping: accounts, by: \.email).filter { $0.value.count > 1 }.map {
            Finding(.doubled, "there are \($0.value.count) accounts of \($0.key)")
        }
        let byID = Dictionary(accounts.map { ($0.id, $0) }) { first, _ in first }
        let things = Set(work.things.filter { $0.hasPrefix("person/") })
        let differing = things.compactMap { thing -> Finding? in
            let entries = work.entries(about: thing)
            guard let id = PersonID(String(thing.dropFirst(7))), let account = byID[id] else {
                return Finding(.halfDone, "\(entries[0]) published an event, and there is no account")
            }
            let given = entries.last.flatMap { ($0.command as? any NamingCommand)?.givenName }
            guard account.name == given, account.version == entries.count else {
                return Finding(
                    .rowsDiffer, "\(account) after \(entries.count) commands, the last of which gave \(given ?? "none")"
                )
            }
            return nil
        }
        let strangers = byID.keys.filter { !things.contains("person/\($0)") }.map {
            Finding(.halfDone, "the account \($0) is nobody's work")
        }
        return twice + differing + strangers
    }

    /// Every keeper knows everybody by the last name that was published.
    private func names(
        _ published: [Published], of keeper: String, _ evidence: LedgerEvidence
    ) throws -> [Finding] {
        let rows = try evidence.rows(Self.rows(of: keeper), as: Name.self)
        let known = Dictionary(rows.map { ($0.id, $0.name) }) { first, _ in first }
        return published.reduce(into: [PersonID: String]()) { $0[$1.name.id] = $1.name.name }.compactMap {
            guard known[$0.key] != $0.value else { return nil }
            return Finding(
                .notAppliedOnce, "\(keeper) knows \($0.key) as \(known[$0.key] ?? "nobody"), not as \($0.value)")
        }
    }

    /// Each step along the stream applied exactly the events that it passed and did not set aside, in their order.
    private func applications(
        _ published: [Published], of keeper: String, _ evidence: LedgerEvidence
    ) throws -> [Finding] {
        let changes = evidence.taps.filter { $0.table == "\(keeper).people" }
        let byTransaction = try Dictionary(grouping: changes, by: \.transaction).mapValues { changes in
            try changes.compactMap(\.new).map { try WireJSON.decode(Name.self, from: Array($0.utf8)) }
        }
        let names = Dictionary(published.map { ($0.position, $0.name) }) { first, _ in first }
        let steps =
            OffsetStep.all(in: evidence.taps, of: keeper, behind: "auth")
            + OffsetStep.replays(in: evidence.taps, of: keeper, behind: "auth")
        return steps.compactMap { step in
            guard step.epoch == evidence.services["auth"]?.epoch else { return nil }
            let due = step.due.compactMap { names[$0] }
            let applied = byTransaction[step.transaction] ?? []
            guard due != applied else { return nil }
            return Finding(
                .notAppliedOnce, "from \(step.from) to \(step.to) of auth, \(keeper) applied \(applied), not \(due)")
        }
    }

    private typealias Published = (position: Int64, name: Name)

    private func published(_ evidence: LedgerEvidence) -> [Published] {
        let events = evidence.services["auth"]?.events ?? []
        return events.compactMap { event in
            guard let position = event.position, let person = event.decoded(as: PersonChanged.self)?.person else {
                return nil
            }
            return (position, Name(id: person.id, name: person.name))
        }.sorted { $0.position < $1.position }
    }
}

/// Gives somebody a name that no other command gives, by which its effect is known.
protocol NamingCommand: LedgerCommand {
    var givenName: String { get }
}

extension NamingCommand {
    var service: PeerRole { .auth }

    func explains(_ events: [PublishedEvent]) -> Bool {
        events.count == 1 && events[0].decoded(as: PersonChanged.self)?.person.name == givenName
    }
}

/// Makes an account.
struct JoinCommand: NamingCommand {
    let name = "join"
    let aggregate: String? = nil
    let isAnonymous = true
    let givenName = "Joined \(UUID().uuidString.prefix(13))"
    let email = "\(UUID().uuidString.lowercased())@example.org"
    static let password = "eight or more"

    func send(as person: LedgerPerson, key: String) async throws -> String {
        // Whoever signs up another one stays who they are.
        let client = person.id == nil ? person.client : KampongClient(baseURL: person.client.baseURL)
        defer { if person.id != nil { client.close() } }
        let form = SignUp(email: email, password: Self.password, name: givenName)
        return "person/\(try await client.signUp(form, key: key).id)"
    }

    func owns(_ event: PublishedEvent) -> Bool { explains([event]) }
}

/// Changes the name in one's own profile.
struct RenameCommand: NamingCommand {
    let name = "rename"
    let person: PersonID
    let givenName = "Renamed \(UUID().uuidString.prefix(13))"
    var aggregate: String? { "person/\(person)" }

    func send(as person: LedgerPerson, key: String) async throws -> String {
        "person/\(try await person.client.changeProfile(ProfileChange(name: .set(givenName)), key: key).id)"
    }
}
