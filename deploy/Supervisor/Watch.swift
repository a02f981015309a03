import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#endif

/// The life of one supervised process: start, watch, wait, again; until cancelled.
struct Watch: Sendable {
    let process: ProcessSpecification
    let options: Supervisor.Options
    let state: StackState

    func run() async {
        var failures = 0
        var starts = 0
        while !Task.isCancelled {
            let begin = ContinuousClock.now
            let exit: Exit
            do {
                exit = try await runOnce(isRestart: starts > 0)
            } catch {
                // The file that is not there now may be there later: a build may be under way.
                note(.waiting, "cannot be started: \(error)")
                exit = .status(127)
            }
            starts += 1
            if Task.isCancelled { break }
            let next = options.policy.decide(
                after: exit, ranFor: ContinuousClock.now - begin, failures: failures, random: .random(in: 0..<1))
            failures = next.failures
            note(.waiting, "\(exit); starting again in \(Self.seconds(next.delay))")
            try? await Task.sleep(for: next.delay)
        }
        note(.stopped, "stopped")
    }

    /// Starts it, sees it through, and ends it when cancelled.
    private func runOnce(isRestart: Bool) async throws -> Exit {
        let environment = ProcessInfo.processInfo.environment.merging(process.environment) { _, own in own }
        let child = try await ChildProcess.start(
            process.executable, arguments: process.arguments, environment: environment, directory: process.directory,
            log: process.logFile)
        let phase: ProcessState.Phase = process.readiness == nil ? .running : .starting
        state.change(process.name, to: phase, pid: child.pid, "started, pid \(child.pid)", isRestart: isRestart)
        // The probes end with the child; the child ends when this task is cancelled.
        let probes = Task { await probe(child) }
        defer { probes.cancel() }
        let exit = await withTaskCancellationHandler {
            await child.exit()
        } onCancel: {
            Task { await child.stop(grace: options.grace) }
        }
        // Noted here and not where it is killed, or the watch could be over before.
        if Task.isCancelled, exit == .signal(SIGKILL) {
            note(.stopped, "did not end within \(Self.seconds(options.grace)) and was killed")
        }
        return exit
    }

    // MARK: Probes

    private func probe(_ child: ChildProcess) async {
        if let url = process.readiness {
            let begin = ContinuousClock.now
            while await !isWell(url) {
                guard await pause(options.readinessInterval) else { return }
            }
            guard child.isRunning, !Task.isCancelled else { return }
            let taken = Self.seconds(ContinuousClock.now - begin)
            state.change(process.name, to: .running, pid: child.pid, "ready after \(taken)")
        }
        if let url = process.liveness { await watchLiveness(of: child, at: url) }
    }

    private func watchLiveness(of child: ChildProcess, at url: String) async {
        var failures = 0
        while await pause(options.livenessInterval) {
            failures = await isWell(url) ? 0 : failures + 1
            guard failures >= options.livenessFailures, child.isRunning, !Task.isCancelled else { continue }
            state.change(process.name, to: .running, pid: child.pid, "does not answer any more; killing it")
            child.send(SIGKILL, toGroup: true)
            return
        }
    }

    private func isWell(_ url: String) async -> Bool {
        await HTTPProbe.get(url)?.status == 200
    }

    /// False when cancelled.
    private func pause(_ duration: Duration) async -> Bool {
        (try? await Task.sleep(for: duration)) != nil
    }

    private func note(_ phase: ProcessState.Phase, _ line: String) {
        state.change(process.name, to: phase, pid: nil, line)
    }

    /// `0.25 s`
    static func seconds(_ duration: Duration) -> String {
        let hundredths = Int((duration / .milliseconds(10)).rounded())
        let fraction = hundredths % 100
        return "\(hundredths / 100)" + (fraction == 0 ? "" : ".\(fraction < 10 ? "0" : "")\(fraction)") + " s"
    }
}
