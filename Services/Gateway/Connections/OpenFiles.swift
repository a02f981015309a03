#if canImport(Glibc)
    import Glibc
#endif

/// How many descriptors this process may have: each connection takes one, and without one not even a refusal can be said.
enum OpenFiles {
    /// Files, pictures, the bus, and the programs that work on pictures.
    static let others = 256

    /// Raises the limit to what the machine allows, and says how many of the connections that are wanted fit in it.
    static func connections(wanted: Int) -> Int {
        var limit = rlimit()
        guard getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return wanted }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            // Not without bound: some programs that we start close every descriptor that there could be.
            raised.rlim_cur = min(limit.rlim_max, max(limit.rlim_cur, 65_536))
            if setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        return max(1, min(wanted, Int(clamping: limit.rlim_cur) - others - ConnectionLimits.spare))
    }
}
