import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import TestKit
import Testing
import WireProtocol

@Suite struct CommandTests {
    private struct Reply: Codable, Equatable, Sendable {
        var n: Int
        var secret: String
        var at: Date
    }

    /// Adds one to the thing, and tells of it.
    private func increment(_ database: Database, _ context: RequestContext) async throws -> Reply {
        try await database.command(context) { transaction in
            let rows = try await transaction.query(
                """
                INSERT INTO things (id, n) VALUES ('a', 1) ON CONFLICT (id) DO UPDATE SET n = things.n + 1 RETURNING n
                """)
            let n = try rows[0].get("n", as: Int.self)
            transaction.publish(Became(n: n), about: "thing/a", to: .everyone)
            return Reply(n: n, secret: "s3cr3t-\(n)", at: transaction.now)
        }
    }

    private func eventCount(_ database: Database) async throws -> Int {
        try await database.pool.query("SELECT FROM outbox").count
    }

    @Test func theSameRequestFiftyTimesAtOnceHasOneEffectAndOneAnswer() async throws {
        try await ServiceDatabase.with { service in
            let id = UUID()
            let database = service.database
            let replies = try await withThrowingTaskGroup(of: [UInt8].self) { group in
                for _ in 0..<50 {
                    group.addTask { try WireJSON.encode(await increment(database, request(id))) }
                }
                return try await group.reduce(into: Set()) { $0.insert($1) }
            }
            #expect(replies.count == 1)
            #expect(try await service.value(of: "a") == 1)
            #expect(try await eventCount(database) == 1)
        }
    }

    @Test func aMigrationUnderARunningServiceFailsNoCommand() async throws {
        try await ServiceDatabase.with { service in
            #expect(try await increment(service.database, request(UUID())).n == 1)
            _ = try await service.database.pool.query("ALTER TABLE things ALTER n TYPE int4")
            #expect(try await increment(service.database, request(UUID())).n == 2)
        }
    }

    /// Whoever waits longer than a lock may be waited for must not be told that nothing was done.
    @Test func aRepetitionWaitsForTheFirstHoweverSlowThatIs() async throws {
        try await ServiceDatabase.with { service in
            let (id, database, begun) = (UUID(), service.database, Locked(false))
            let slow = Task {
                try await database.command(request(id)) { transaction -> Reply in
                    try await transaction.query("INSERT INTO things VALUES ('slow', 1)")
                    begun.change { $0 = true }
                    try await Task.sleep(for: .seconds(4))
                    return Reply(n: 1, secret: "slow", at: transaction.now)
                }
            }
            try await eventually("the first to begin") { begun.value }
            let again = try await database.command(request(id)) { _ -> Reply in
                Reply(n: 2, secret: "again", at: Date())
            }
            let first = try await slow.value
            #expect(again.n == 1 && first.n == 1)
        }
    }

    @Test func anIdBelongsToItsCallerAndContent() async throws {
        try await ServiceDatabase.with { service in
            let id = UUID()
            let database = service.database
            let first = try await increment(database, request(id))
            let other = await thrown(ServiceError.self) { try await increment(database, request(id, content: "other")) }
            #expect(other?.code == .idempotencyMismatch)
            #expect(try await increment(database, request(id, person: .new())).n == 2)
            #expect(try await increment(database, request(UUID())).n == 3)
            let again = try await increment(database, request(id))
            #expect(again.n == first.n && again.secret == first.secret)
        }
    }

    /// Another replica holds a copy of the request, and looks at it only when the reason for the refusal is gone.
    @Test func what_was_refused_is_not_done_by_a_copy_that_comes_late() async throws {
        let later = Locked(TimeInterval(0))
        try await ServiceDatabase.with(clock: { Date() + later.value }) { service in
            let (first, late) = (request(UUID()), try service.another())
            let refuse = { (database: Database) in
                await thrown(ServiceError.self) {
                    try await database.command(first) { _ -> Reply in throw ServiceError(.wrongState, "Not now.") }
                }
            }
            #expect(await refuse(service.database)?.code == .wrongState)
            let refusal = await thrown(ServiceError.self) { try await increment(late, first) }
            #expect(refusal == ServiceError(.wrongState, "Not now."))
            let done = try await service.value(of: "a")
            #expect(done == nil)
            // After the time in which there may be copies, the same key may be used.
            later.change { $0 = 60 }
            #expect(try await increment(service.database, first).n == 1)
            try await service.database.prune()
            #expect(try await service.database.pool.query("SELECT FROM refusals").isEmpty)
            await late.pool.close()
        }
    }

    /// A copy may be quicker than the writing down of the refusal: then the request is done, and so it is said.
    @Test func whoever_is_refused_while_a_copy_is_done_hears_that_it_is_done() async throws {
        try await ServiceDatabase.with { service in
            let (once, database, tries) = (request(UUID()), service.database, Locked(0))
            let outcomes = await withThrowingTaskGroup(of: Reply.self) { group in
                for _ in 0..<20 {
                    group.addTask {
                        try await database.command(once) { transaction in
                            tries.change { $0 += 1 }
                            if tries.value <= 5 { throw ServiceError(.wrongState, "Not now.") }
                            try await transaction.query("INSERT INTO things VALUES ('c', 1)")
                            return Reply(n: 1, secret: "", at: transaction.now)
                        }
                    }
                }
                var outcomes = (done: 0, refused: 0)
                while let result = await group.nextResult() {
                    if case .success = result { outcomes.done += 1 } else { outcomes.refused += 1 }
                }
                return outcomes
            }
            // All or none: whichever came first to be written down is what all of them are told.
            let isDone = try await service.value(of: "c") != nil
            #expect(outcomes == (isDone ? (20, 0) : (0, 20)))
        }
    }

    /// Neither what may be tried again, nor anything of strangers, who could fill the table with it.
    @Test(arguments: [
        (ServiceError(.unavailable, "Not there.", retryAfter: 1), PersonID.new()),
        (ServiceError(.wrongState, "Not now."), nil),
    ])
    func what_is_not_kept_of_refusals(refusal: ServiceError, person: PersonID?) async throws {
        try await ServiceDatabase.with { service in
            let asked = request(UUID(), person: person)
            let told = await thrown(ServiceError.self) {
                try await service.database.command(asked) { _ -> Nothing in throw refusal }
            }
            #expect(told == refusal)
            let done = try await increment(service.database, asked)
            #expect(done.n == 1)
        }
    }

    @Test func whatIsCorrectedAfterARefusalIsDone() async throws {
        try await ServiceDatabase.with { service in
            let id = UUID()
            let database = service.database
            let refusal = await thrown(ServiceError.self) {
                try await database.command(request(id)) { transaction -> Nothing in
                    try await transaction.query("INSERT INTO things VALUES ('b', 1)")
                    transaction.publish(Became(n: 1), about: "thing/b", to: .everyone)
                    throw ServiceError(.wrongState, "Not now.")
                }
            }
            #expect(refusal?.code == .wrongState)
            let (left, events) = (try await service.value(of: "b"), try await eventCount(database))
            #expect(left == nil && events == 0)
            #expect(try await increment(database, request(id, content: "other")).n == 1)
        }
    }

    @Test func storedRepliesAndDigestsTellNothing() async throws {
        try await ServiceDatabase.with { service in
            _ = try await increment(service.database, request(UUID()))
            let row = try #require(try await service.database.pool.query("SELECT * FROM requests").first)
            let reply = try row.get("reply", as: [UInt8].self)
            #expect(!String(decoding: reply, as: UTF8.self).contains("s3cr3t"))
            #expect(try row.get("digest", as: [UInt8].self).count == 32)
        }
    }

    /// The two ways a COMMIT's answer gets lost: done, or not done. Either way there is one effect, and the caller hears of it.
    @Test(arguments: [CommitCutter.Moment.before, .after])
    func aLostCommitIsClearedUp(moment: CommitCutter.Moment) async throws {
        try await ServiceDatabase.with { service in
            let cutter = try CommitCutter(to: service.url)
            defer { cutter.stop() }
            let database = try service.another(url: cutter.url)
            for round in 1...10 {
                cutter.arm(moment)
                #expect(try await increment(database, request(UUID())).n == round)
            }
            #expect(cutter.cuts == 10)
            #expect(try await service.value(of: "a") == 10)
            #expect(try await eventCount(service.database) == 10)
            await database.pool.close()
        }
    }

    @Test func withoutARequestALostCommitIsSaidToBeUnknown() async throws {
        try await ServiceDatabase.with { service in
            let cutter = try CommitCutter(to: service.url)
            defer { cutter.stop() }
            let database = try service.another(url: cutter.url)
            cutter.arm(.after)
            let error = await thrown(ServiceError.self) {
                try await database.transaction { try await $0.query("INSERT INTO things VALUES ('c', 1)") }
            }
            #expect(error?.code == .outcomeUnknown)
            await database.pool.close()
        }
    }

    /// What cannot be found out any more is not said to be undone.
    @Test func anUnknownCommitStaysUnknownWhileTheDatabaseIsAway() async throws {
        try await ServiceDatabase.with { service in
            let cutter = try CommitCutter(to: service.url)
            defer { cutter.stop() }
            let database = try service.another(url: cutter.url, waiting: .seconds(1))
            #expect(try await increment(database, request(UUID())).n == 1)
            cutter.arm(.after, stayShut: true)
            let unknown = await thrown(ServiceError.self) { try await increment(database, request(UUID())) }
            #expect(unknown?.code == .outcomeUnknown)
            let away = await thrown(ServiceError.self) { try await increment(database, request(UUID())) }
            #expect(away?.code == .unavailable)
            #expect(try await service.value(of: "a") == 2)
            await database.pool.close()
        }
    }

    @Test func deadlocksAreTriedAgain() async throws {
        try await ServiceDatabase.with { service in
            let database = service.database
            _ = try await database.query("INSERT INTO things VALUES ('x', 0), ('y', 0)")
            try await withThrowingTaskGroup(of: Void.self) { group in
                for names in [["x", "y"], ["y", "x"]] {
                    group.addTask {
                        _ = try await database.command(request(UUID())) { transaction in
                            for name in names {
                                try await transaction.query("UPDATE things SET n = n + 1 WHERE id = \(name)")
                                try await Task.sleep(for: .milliseconds(150))
                            }
                            return Nothing()
                        }
                    }
                }
                try await group.waitForAll()
            }
            #expect(try await service.value(of: "x") == 2)
            #expect(try await service.value(of: "y") == 2)
        }
    }

    @Test func requestsAreForgottenInTime() async throws {
        let clock = FixedClock(Date())
        try await ServiceDatabase.with(clock: clock.read) { service in
            let database = service.database
            let id = UUID()
            #expect(try await increment(database, request(id)).n == 1)
            try await database.prune()
            #expect(try await increment(database, request(id)).n == 1)
            clock.advance(by: .days(3))
            try await database.prune()
            #expect(try await increment(database, request(id)).n == 2)
        }
    }
}
