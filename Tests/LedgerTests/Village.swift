import Foundation
import GatewayService
import KampongClient
import TestKit
import Testing
import WireProtocol

/// All tests of this target, one after the other: each hurts a stack, and needs the machine to itself.
@Suite(.serialized) enum LedgerTests {}

/// A stack with a PostgreSQL of its own, and people who use both.
struct Village: Sendable {
    let server: PostgresCluster
    let stack: Stack
    let run: LedgerRun

    /// All the people come from one address, and have more spots than people have.
    static let settings: [String: String] = {
        let lifted = [
            "AUTH_LIMITS_ADDRESS", "LIMITS_READ", "LIMITS_WRITE", "LIMITS_SIGNIN", "LIMITS_PHOTO",
            "LIMITS_STREAMS_ADDRESS",
        ]
        var settings = Dictionary(uniqueKeysWithValues: lifted.map { ("KAMPONG_\($0)", "1000000") })
        settings["KAMPONG_SPOTS_PERPERSON"] = "1000"
        settings["KAMPONG_SPOTS_CLAIMS"] = "1000"
        settings["KAMPONG_RENTALS_THINGS"] = "1000"
        settings["KAMPONG_RENTALS_REQUESTS"] = "1000"
        settings["KAMPONG_RENTALS_AHEAD"] = "1000"
        // Short, so that some offers are not answered in time.
        settings["KAMPONG_DELIVERIES_OFFER"] = "5"
        settings["KAMPONG_DELIVERIES_REQUEST"] = "5"
        settings["KAMPONG_CHAT_MESSAGES_PERMINUTE"] = "100000"
        settings["KAMPONG_CHAT_ROOMS_PERDAY"] = "100000"
        // Short, so that tokens expire while things break, and are exchanged where auth may be away.
        settings["KAMPONG_AUTH_ACCESS_LIFETIME"] = "20"
        return settings
    }()

    /// Who keeps an offset in whose stream: all who may, but for gateways, which begin with what is newest.
    static let subscriptions: [(subscriber: String, publisher: String)] = [
        ("listings", "auth"), ("rides", "auth"), ("matching", "auth"), ("chat", "auth"), ("notification", "auth"),
        ("auth", "listings"), ("chat", "listings"), ("notification", "listings"), ("matching", "listings"),
        ("auth", "rides"), ("chat", "rides"), ("notification", "rides"), ("matching", "rides"),
        ("auth", "matching"), ("chat", "matching"), ("notification", "matching"),
        ("auth", "chat"), ("notification", "chat"),
        ("auth", "notification"),
    ]

    /// Runs `body` in a village, audits what it did, and takes the village down; what failed is told with the ends of all logs.
    static func with(
        _ configure: (inout Stack.Options) -> Void = { _ in }, megabytes: Int? = nil, options: LedgerRun.Options? = nil,
        subjects: [any LedgerSubject]? = nil, weights: [Int] = [],
        isolation: isolated (any Actor)? = #isolation, _ body: (Village) async throws -> Void
    ) async throws {
        let server = try await PostgresCluster.start(.init(megabytes: megabytes))
        var stackOptions = Stack.Options()
        stackOptions.settings = settings
        stackOptions.server = server
        configure(&stackOptions)
        do {
            let stack = try await Stack.start(stackOptions)
            do {
                let options = options ?? LedgerRun.Options(seed: Wishes.seed)
                let run = try await begin(on: stack, options, subjects, weights)
                let village = Village(server: server, stack: stack, run: run)
                do { try await body(village) } catch {
                    village.keepHistory()
                    Issue.record("\(error)\n\(stack.logs())\n\(server.log())")
                }
                await run.end()
            } catch {
                Issue.record("The village could not be settled: \(error)\n\(stack.logs())\n\(server.log())")
            }
            await stack.stop()
        } catch {
            await server.remove()
            throw error
        }
        await server.remove()
    }

    /// - Parameters:
    ///   - subjects: what people do instead of renaming themselves, dealing in spots, things, rides and deliveries, and looking for them.
    ///   - weights: how often they turn to each of them.
    static func begin(
        on stack: Stack, _ options: LedgerRun.Options, _ subjects: [any LedgerSubject]?, _ weights: [Int]
    ) async throws -> LedgerRun {
        let spots = SpotsSubject()
        var random = SeededGenerator(seed: options.seed)
        // Spots more often, because there is more to ask about them; encounters come of those.
        let weights = weights.isEmpty ? [1, 4, 0, 4, 4, 4, 4, 0, 2] : weights
        let all = subjects == nil ? try await everything(spots, on: stack, weights) : []
        return try await LedgerRun.begin(
            on: stack, with: subjects ?? all, weights: weights,
            subscriptions: subscriptions, options: options,
            requestID: { Idempotency.requestID(key: $0, caller: Caller(person: $1))! },
            join: { _ in JoinCommand() }, hello: { _ in spots.post(using: &random) })
    }

    private static func everything(
        _ spots: SpotsSubject, on stack: Stack, _ weights: [Int]
    ) async throws -> [any LedgerSubject] {
        let deliveries = DeliveriesSubject(street: try await EatingStreet(on: stack))
        let before: [any LedgerSubject] = [
            PeopleSubject(), spots, EncountersSubject(), RoomsSubject(), RentalsSubject(), RidesSubject(), deliveries,
            NoticesSubject(),
        ]
        // Where people go to bring what is ordered, it is not known who is to be found at which restaurant.
        let isAnythingOrdered = zip(before, weights).contains { $0 is DeliveriesSubject && $1 > 0 }
        return before + [WantedSubject(street: isAnythingOrdered ? nil : deliveries.street)]
    }

    /// Expects that nothing is wrong, and says what was done.
    func expectNothingWrong(
        after what: String, _ settled: Duration? = nil, begunAnew publisher: String? = nil
    ) async throws {
        let findings = try await run.audit(begunAnew: publisher)
        let time = settled.map { ", settled after \(LedgerRun.settling.compared(with: $0))" } ?? ""
        print("ledger: \(what): \(run.summary)\(time), \(findings.count) findings")
        if !findings.isEmpty { keepHistory() }
        #expect(
            findings.isEmpty,
            "\(what), seed \(Wishes.seed): \(findings.prefix(20).map(\.description).joined(separator: "\n"))")
    }

    /// Writes the history to where it was wished for.
    func keepHistory() {
        guard let directory = Wishes.directory else { return }
        let path = "\(directory)/ledger-\(Wishes.seed).history"
        try? Data(run.ledger.history.utf8).write(to: URL(filePath: path))
        print("ledger: the history is in \(path)")
    }
}

extension LedgerRun.Options {
    init(seed: UInt64) {
        self.init()
        self.seed = seed
    }
}

/// What the environment asks of these tests; `deploy/ledger` sets it.
enum Wishes {
    private static let environment = ProcessInfo.processInfo.environment

    private static func number(_ name: String) -> Int? { environment["KAMPONG_LEDGER_\(name)"].flatMap { Int($0) } }

    /// Of random faults.
    static let duration = Duration.seconds(number("SECONDS") ?? 30)
    /// The same for those who erase themselves.
    static let farewells = Duration.seconds(number("SECONDS") ?? 8)
    /// How many rooms people write in, and for how long they are hurt meanwhile.
    static let rooms = number("ROOMS") ?? 60
    static let chatter = Duration.seconds(max(6, rooms / 16))
    /// Of nothing but orders and who brings them; of nothing but what people look for.
    static let deliveries = Duration.seconds(number("DELIVERIES") ?? 20)
    static let searches = Duration.seconds(number("SEARCHES") ?? 20)
    static let directory = environment["KAMPONG_LEDGER_DIRECTORY"]
    /// The same one chooses the same commands and faults; only their timing differs.
    static let seed = number("SEED").map(UInt64.init) ?? UInt64.random(in: 1...999_999)
}
