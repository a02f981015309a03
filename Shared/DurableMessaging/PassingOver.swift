import FoundationEssentials
import Messaging
import Postgres
import Synchronization
import WireProtocol

/// How far each publisher's events were passed over because nobody here handles them: no transaction for each, the offset follows from time to
/// time. What is only remembered here is lost with the process; then those events come again, and are passed over again.
final class PassedOver: Sendable {
    /// Between `written` and `through` there are, in this epoch, only events that nobody handles. So wherever in between the offset is, moving it
    /// to `through` loses nothing, whoever else moved it meanwhile; a larger `written` and a smaller `through` claim less.
    struct Run: Hashable, Sendable {
        var epoch: UUID
        var written: Int64
        var through: Int64

        /// Where an offset stands in truth.
        func moved(_ position: Int64) -> Int64 {
            (written..<max(written, through)).contains(position) ? through : position
        }
    }

    private struct State {
        var runs: [String: Run] = [:]
        /// Publishers whose offset will be written soon.
        var awaited: Set<String> = []
    }

    private let state = Mutex(State())

    func run(of publisher: String) -> Run? { state.withLock { $0.runs[publisher] } }

    /// The offset in the database is known to be there, or to be further.
    func reached(_ publisher: String, _ epoch: UUID, _ position: Int64) {
        state.withLock { state in
            if let run = state.runs[publisher], run.epoch == epoch, run.through > position, run.written <= position {
                state.runs[publisher]?.written = position
            } else {
                state.runs[publisher] = Run(epoch: epoch, written: position, through: position)
            }
        }
    }

    /// The offset was moved to the end of that run. Others may have followed, and events that were handled: then it says nothing of those.
    func wrote(_ publisher: String, _ earlier: Run) {
        state.withLock { state in
            guard let run = state.runs[publisher], run.epoch == earlier.epoch,
                run.written < earlier.through, earlier.through <= run.through
            else { return }
            state.runs[publisher]?.written = earlier.through
        }
    }

    func forget(_ publisher: String) { state.withLock { $0.runs[publisher] = nil } }

    /// Takes events that nobody handles, where they follow what is known.
    /// - Returns: how many the offset is behind; nil where they have to be looked at one by one.
    func take(_ events: ArraySlice<EventEnvelope>) -> Int64? {
        guard let first = events.first, let last = events.last else { return nil }
        for (index, event) in events.enumerated()
        where event.epoch != first.epoch || event.position != first.position + Int64(index) { return nil }
        return state.withLock { state in
            guard var run = state.runs[first.publisher], run.epoch == first.epoch,
                (run.written...(run.through + 1)).contains(first.position)
            else { return nil }
            run.through = max(run.through, last.position)
            state.runs[first.publisher] = run
            return run.through - run.written
        }
    }

    /// - Returns: whether it was not awaited before.
    func expect(_ publisher: String) -> Bool { state.withLock { $0.awaited.insert(publisher).inserted } }

    /// Whether the offset is where it should be: then it is not awaited any more.
    func isSettled(_ publisher: String) -> Bool {
        state.withLock { state in
            if let run = state.runs[publisher], run.through > run.written { return false }
            state.awaited.remove(publisher)
            return true
        }
    }
}

extension DurableConsumer {
    /// Passes over events that have no handler.
    /// - Returns: false where nothing was done: they are no continuation of what this process knows, or not even the offset is there.
    func passOver(_ events: ArraySlice<EventEnvelope>) async throws -> Bool {
        guard let publisher = events.first?.publisher, let behind = passed.take(events) else { return false }
        if behind >= Int64(limits.mostUnwritten) {
            try await writeOffset(of: publisher)
        } else if behind > 0, passed.expect(publisher) {
            // Where nothing more comes, it is written all the same.
            writeSoon(publisher)
        }
        return true
    }

    /// Sees to it that the offset is written in a moment, however long the database is away.
    private func writeSoon(_ publisher: String) {
        let usual = limits.longestUnwritten
        Task { [weak self] in
            var pause = usual
            while true {
                try? await Task.sleep(for: pause)
                guard let self else { return }
                do {
                    try await self.writeOffset(of: publisher)
                    if self.passed.isSettled(publisher) { return }
                    pause = usual
                } catch { pause = max(usual, .seconds(1)) }
            }
        }
    }

    /// Moves the offset forward past what was passed over; never back, and never past anything else.
    func writeOffset(of publisher: String) async throws {
        guard let run = passed.run(of: publisher), run.through > run.written else { return }
        _ = try await database.pool.query(
            """
            UPDATE offsets SET position = \(run.through), updated_at = clock_timestamp()
            WHERE publisher = \(publisher) AND epoch = \(run.epoch)
                AND position >= \(run.written) AND position < \(run.through)
            """)
        passed.wrote(publisher, run)
    }
}
