import Supervisor
import TestKit
import Testing
import WireProtocol

extension LedgerTests {
    /// The same audit after faults that are made on purpose, one after the other, in one village.
    @Suite struct FaultTests {
        @Test func after_each_fault_nothing_is_lost_doubled_or_half_done() async throws {
            try await Village.with({ $0.hasProxies = true }) { village in
                try await lines(village)
                try await immediateStop(village)
                try await poison(village)
                try await rollingRestart(village)
                try await olderBackup(village)
            }
        }

        /// Partitions and links that are open at one end only: each line of each service by itself, then all of them at once.
        private func lines(_ village: Village) async throws {
            var random = SeededGenerator(seed: Wishes.seed)
            let lines = try Line.all(of: village.stack)
            let faults = lines.flatMap { line in Line.Fault.allCases.map { (line: line, fault: $0) } }
                .shuffled(using: &random)
            let settled = try await village.run.load {
                for (line, fault) in faults {
                    try await line.suffer(fault, for: .milliseconds(Int.random(in: 600...1800, using: &random)))
                    try await Task.sleep(for: .milliseconds(Int.random(in: 100...400, using: &random)))
                }
                for fault in Line.Fault.allCases.shuffled(using: &random) {
                    let duration = Duration.milliseconds(Int.random(in: 600...3000, using: &random))
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        for line in lines { group.addTask { try await line.suffer(fault, for: duration) } }
                        try await group.waitForAll()
                    }
                }
            }
            try await village.expectNothingWrong(
                after: "partitions and half-open links, \(faults.count) alone and \(Line.Fault.allCases.count) of all",
                settled)
        }

        private func immediateStop(_ village: Village) async throws {
            let settled = try await village.run.load {
                for _ in 1...2 {
                    try await Task.sleep(for: .seconds(1))
                    try await village.server.stopImmediately()
                    try await Task.sleep(for: .milliseconds(500))
                    try await village.server.start()
                }
            }
            try await village.expectNothingWrong(after: "PostgreSQL stopped in immediate mode", settled)
        }

        /// An event that cannot be applied is set aside with those behind it, seen by the operator, and applied when its cause is gone.
        private func poison(_ village: Village) async throws {
            let victim = try #require(village.run.ledger.all.first { $0.command is RenameCommand }?.person)
            try await village.run.run(
                """
                CREATE FUNCTION listings.poison() RETURNS trigger LANGUAGE plpgsql AS
                $$ BEGIN RAISE EXCEPTION 'poisoned' USING ERRCODE = 'check_violation'; END $$
                """,
                """
                CREATE TRIGGER poison BEFORE INSERT OR UPDATE ON listings.people FOR EACH ROW
                WHEN (NEW.id = '\(victim)') EXECUTE FUNCTION listings.poison()
                """)
            let twice = [RenameCommand(person: victim), RenameCommand(person: victim)]
            try #require(await village.run.give(twice, as: victim), "auth knows nothing of what ails listings")
            try await village.run.load { try await Task.sleep(for: .seconds(2)) }
            let list = try await village.stack.kampong("dead-letters", "list", "--service", "listings")
            #expect(list.exit == .status(0) && list.output.contains("personChanged of person/\(victim)"), "\(list)")
            let waiting = try await village.run.evidence().services["listings"]?.deadLetters ?? 0
            #expect(waiting >= 2, "the later events of the same person wait behind the first")
            let inVain = try await village.stack.kampong("dead-letters", "replay", "--service", "listings")
            #expect(inVain.exit == .status(1), "the cause is still there: \(inVain)")

            try await village.run.run("DROP TRIGGER poison ON listings.people")
            let replay = try await village.stack.kampong("dead-letters", "replay", "--service", "listings")
            #expect(replay.exit == .status(0) && replay.output.contains("\(waiting) handled, 0 remain"), "\(replay)")
            try await village.expectNothingWrong(after: "a poison event")
        }

        /// Everything is restarted, one after the other, as for an upgrade: nobody is turned away.
        private func rollingRestart(_ village: Village) async throws {
            let begin = village.run.ledger.now
            let settled = try await village.run.load { try await village.restartEverything() }
            let turnedAway = village.run.turnedAway(since: begin, patient: true)
            #expect(turnedAway.isEmpty, "\(turnedAway.prefix(10).map(\.description))")
            try await village.expectNothingWrong(after: "a rolling restart", settled)
        }

        /// The publisher goes back to an older backup, and its subscribers know more than it does.
        private func olderBackup(_ village: Village) async throws {
            let url = try village.stack.databaseURL()
            try await village.run.load { try await Task.sleep(for: .seconds(1)) }
            try await village.server.dump(schema: "auth", of: url)
            let dumped = village.run.ledger.now
            try await village.run.load { try await Task.sleep(for: .seconds(2)) }
            let refused = try await village.stack.kampong("epoch", "new", "auth", database: .auth)
            #expect(refused.exit == .status(1), "auth runs: \(refused)")

            _ = try await village.stack.terminate(.auth)
            try await village.server.restore(schema: "auth", of: url)
            let epoch = try await village.stack.kampong("epoch", "new", "auth", database: .auth)
            try #require(epoch.exit == .status(0), "\(epoch)")
            village.run.ledger.strike(from: dumped, to: village.run.ledger.now) { $0.command.service == .auth }
            let settled = try await village.run.load { try await village.stack.start(.auth) }
            try await village.expectNothingWrong(after: "an older backup of auth", settled, begunAnew: "auth")
        }
    }

    /// Where the disk of the database has no more room.
    @Suite(LedgerTurn.fullDisk.inTurn) struct FullDiskTests {
        @Test(.enabled(if: PostgresCluster.mayHaveVolume, "only root may mount a small disk for the database"))
        func after_a_full_disk_nothing_is_lost_doubled_or_half_done() async throws {
            try await Village.with(megabytes: 128) { village in
                let settled = try await village.run.load {
                    try await Task.sleep(for: .seconds(1))
                    try village.server.fillDisk()
                    try await Task.sleep(for: .seconds(5))
                    try village.server.clearDisk()
                    // Its own postmaster may have given up.
                    if !village.server.isRunning { try await village.server.start() }
                    try await village.server.awaitReady()
                }
                #expect(
                    !village.run.turnedAway(since: .zero, patient: false).isEmpty,
                    "the disk was not full enough to be felt")
                try await village.expectNothingWrong(after: "a full disk", settled)
            }
        }
    }

    /// Two of a kind, side by side.
    @Suite(LedgerTurn.replicas.inTurn) struct ReplicaTests {
        @Test func two_replicas_of_a_service_share_the_work_and_nothing_is_done_twice() async throws {
            try await Village.with({ $0.replicas = [.listings: 2, .rides: 2, .matching: 2, .gateway: 2] }) { village in
                let pairs = village.stack.members.filter { $0.role != .auth }
                var havoc = Havoc(pairs.map { .member($0, of: village.stack) }, seed: Wishes.seed)
                let settled = try await village.run.load { _ = try await havoc.run(for: .seconds(12)) }
                try await village.expectNothingWrong(
                    after: "havoc among two listings, rides, matchings and gateways", settled)

                let begin = village.run.ledger.now
                let restarted = try await village.run.load { try await village.restartEverything() }
                let turnedAway = village.run.turnedAway(since: begin, patient: true)
                #expect(turnedAway.isEmpty, "\(turnedAway.prefix(10).map(\.description))")
                try await village.expectNothingWrong(after: "a rolling restart of replicas", restarted)
            }
        }
    }
}

extension Village {
    /// Each process in its turn, the database among them, gracefully; the next when the last is ready.
    func restartEverything() async throws {
        for member in stack.members {
            let exit = try await stack.terminate(member)
            #expect(exit == .status(0), "\(member)")
            try await stack.start(member)
        }
        try await server.restart()
    }
}
