#if canImport(Glibc)
    import Glibc
#endif

/// How a process ended.
package enum Exit: Hashable, Sendable, CustomStringConvertible {
    case status(Int32)
    case signal(Int32)

    package var description: String {
        switch self {
        case .status(0): "ended"
        case .status(78): "ended with status 78 (a setting is missing or bad; its log says which)"
        case .status(let status): "ended with status \(status)"
        case .signal(let signal): "ended by \(Self.name(of: signal))"
        }
    }

    private static func name(of signal: Int32) -> String {
        let names = [
            SIGKILL: "SIGKILL", SIGTERM: "SIGTERM", SIGINT: "SIGINT", SIGABRT: "SIGABRT", SIGSEGV: "SIGSEGV",
            SIGILL: "SIGILL", SIGTRAP: "SIGTRAP", SIGBUS: "SIGBUS", SIGHUP: "SIGHUP",
        ]
        return names[signal] ?? "signal \(signal)"
    }
}
