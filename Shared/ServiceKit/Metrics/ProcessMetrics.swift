import FoundationEssentials

#if canImport(Glibc)
    import Glibc
#endif

/// What Prometheus expects of every process, read at the time of asking.
struct ProcessMetrics {
    let startedAt: Date

    func text() -> String {
        var usage = rusage()
        getrusage(RUSAGE_SELF.rawValue, &usage)
        let cpu = [usage.ru_utime, usage.ru_stime].reduce(0) { $0 + Double($1.tv_sec) + Double($1.tv_usec) / 1e6 }
        var lines = [
            ("process_cpu_seconds_total", "counter", cpu),
            ("process_start_time_seconds", "gauge", startedAt.timeIntervalSince1970),
        ]
        if let resident = Self.residentBytes() { lines.append(("process_resident_memory_bytes", "gauge", resident)) }
        if let open = try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count {
            lines.append(("process_open_fds", "gauge", Double(open)))
        }
        return lines.map { "# TYPE \($0.0) \($0.1)\n\($0.0) \(PrometheusText.number($0.2))\n" }.joined()
    }

    private static func residentBytes() -> Double? {
        guard let data = FileManager.default.contents(atPath: "/proc/self/statm") else { return nil }
        let fields = String(decoding: data, as: UTF8.self).split(separator: " ")
        guard fields.count > 1, let pages = Double(fields[1]) else { return nil }
        return pages * Double(sysconf(Int32(_SC_PAGESIZE)))
    }
}
