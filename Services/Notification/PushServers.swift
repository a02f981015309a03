import FoundationEssentials
import Reactor
import Synchronization

/// Which servers of devices say nothing, so that one that hangs keeps one of the places in which deliveries are tried, however many devices
/// it has, and not all of them.
///
/// Each process finds out by itself, and anew when it starts. Pure, but for what it remembers: every moment is an argument.
final class PushServers: Sendable {
    private struct Server {
        /// Those that have begun and not ended.
        var underWay = 0
        var answeredAt: Date?
        var silence: Silence?
    }

    private struct Silence {
        /// In a row.
        var times: Int
        var notedAt: Date
        var until: Date
    }

    /// About as long as a delivery may take.
    private static let patience: TimeInterval = 5
    private let (firstWait, longestWait) = (Duration.seconds(5), Duration.seconds(60))
    private let servers = Mutex<[String: Server]>([:])

    /// Begins a delivery; `end` has to follow.
    /// - Returns: Nil, or until when the server is left alone: then nothing has begun. After that one delivery is tried, and all others
    ///   wait for what becomes of it.
    func begin(_ name: String, at now: Date) -> Date? {
        servers.withLock { servers in
            if let silence = servers[name]?.silence {
                guard silence.until <= now else { return silence.until }
                servers[name]?.silence?.until = now + Self.patience
            }
            servers[name, default: Server()].underWay += 1
            return nil
        }
    }

    /// - Parameter began: when the delivery began.
    func end(_ name: String, began: Date, isSilent: Bool, at now: Date) {
        servers.withLock { servers in
            guard var server = servers[name] else { return }
            server.underWay -= 1
            if !isSilent {
                (server.answeredAt, server.silence) = (now, nil)
            } else if server.answeredAt.map({ $0 < began }) ?? true, server.silence.map({ $0.notedAt < began }) ?? true
            {
                // Nothing else was answered meanwhile, and what began together with this one has not said it yet.
                let times = (server.silence?.times ?? 0) + 1
                let wait = Backoff.step(times - 1, first: firstWait, limit: longestWait)
                server.silence = Silence(times: times, notedAt: now, until: now + TimeInterval(wait.components.seconds))
            }
            let isForgotten = server.underWay == 0 && server.silence == nil
            servers[name] = isForgotten ? nil : server
        }
    }

    /// Forgets those to which nothing was brought for long: their devices are gone.
    func sweep(before moment: Date) {
        servers.withLock { servers in
            servers = servers.filter { $0.value.underWay > 0 || $0.value.silence.map { $0.until > moment } ?? false }
        }
    }
}
