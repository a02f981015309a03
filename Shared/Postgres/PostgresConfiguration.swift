import CPostgres

/// Where the database is and how it is used.
package struct PostgresConfiguration: Sendable {
    /// `postgres://user:password@host:port/database?sslmode=…` or libpq's `key=value` form. Several hosts may be named.
    package let url: String
    /// First in the search path, before `public`, where extensions live.
    package let schema: String
    /// The role to work as, where it is not the user of the URL.
    package var role: String?
    /// Shown in `pg_stat_activity`.
    package var applicationName = "kampong"
    /// Connections are opened when they are needed, up to this many.
    package var poolSize = 8
    /// How many statements may be under way on one connection.
    package var maxInFlight = 64
    /// How many callers may wait for a connection, and how long, before they are told `.unavailable`.
    package var maxWaiting = 10_000
    package var waitingTimeout: Duration = .seconds(5)
    package var connectTimeout: Duration = .seconds(5)
    package var statementTimeout: Duration = .seconds(5)
    package var lockTimeout: Duration = .seconds(3)
    /// How long a transaction may leave its connection unused before the server ends it.
    package var idleInTransactionTimeout: Duration = .seconds(30)
    /// How long sent data may stay unacknowledged before the connection counts as lost.
    package var tcpUserTimeout: Duration = .seconds(5)
    /// How long `close` waits for what is under way.
    package var closeTimeout: Duration = .seconds(10)
    /// Statements kept prepared on each connection.
    package var preparedStatements = 256
    /// What PostgreSQL's planner may not do for this service: settings with which each session begins, as `enable_bitmapscan`.
    package var plannerSwitchedOff: [String] = []
    /// Each statement is planned once for a session, without its values, rather than anew until PostgreSQL has seen that this is as good: for
    /// services whose plans are the same whatever is asked, and take longer to be made than to be run.
    package var plansOnce = false

    /// - Throws: `PostgresError` of kind `.misuse` for a URL that cannot be read or a schema name that is not a plain lower-case one.
    package init(url: String, schema: String) throws {
        guard Self.isPlainName(schema) else {
            throw PostgresError(.misuse, debugDetail: "\(schema) is not a plain lower-case schema name")
        }
        self.url = url
        self.schema = schema
        _ = try ConnectionURL(url)
    }

    /// Letters, digits and underscores, at most 63, so that it needs no quotes anywhere.
    package static func isPlainName(_ name: String) -> Bool {
        guard let first = name.unicodeScalars.first, name.utf8.count <= 63 else { return false }
        let isStart: (Unicode.Scalar) -> Bool = { ("a"..."z").contains($0) || $0 == "_" }
        return isStart(first) && name.unicodeScalars.allSatisfy { isStart($0) || ("0"..."9").contains($0) }
    }

    /// libpq's keywords for a connection; what comes later overrides the URL.
    func keywords(_ url: ConnectionURL, addresses: [(host: String, address: String, port: String)]) -> [(
        String, String
    )] {
        var options = url.options.isEmpty ? [] : [url.options]
        options += settings.map { "-c \($0)=\($1)" }
        var keywords = [("dbname", self.url)]
        if !addresses.isEmpty {
            keywords.append(("host", addresses.map(\.host).joined(separator: ",")))
            keywords.append(("hostaddr", addresses.map(\.address).joined(separator: ",")))
            keywords.append(("port", addresses.map(\.port).joined(separator: ",")))
        }
        return keywords + [
            ("options", options.joined(separator: " ")), ("application_name", applicationName),
            ("client_encoding", "UTF8"), ("gssencmode", "disable"), ("keepalives", "1"), ("keepalives_idle", "10"),
            ("keepalives_interval", "3"), ("keepalives_count", "3"),
            ("tcp_user_timeout", String(tcpUserTimeout.milliseconds)),
        ]
    }

    /// What every session starts with; it spares a round trip.
    private var settings: [(String, String)] {
        var settings = [
            ("search_path", "\(schema),public"), ("TimeZone", "UTC"), ("DateStyle", "ISO"),
            ("statement_timeout", String(statementTimeout.milliseconds)),
            ("lock_timeout", String(lockTimeout.milliseconds)),
            ("idle_in_transaction_session_timeout", String(idleInTransactionTimeout.milliseconds)),
            // PostgreSQL compiles what it reckons to be long anew at each call, for ten times as long as such a statement takes.
            ("jit", "off"),
        ]
        settings += plannerSwitchedOff.map { ($0, "off") }
        if plansOnce { settings.append(("plan_cache_mode", "force_generic_plan")) }
        if let role { settings.append(("role", role)) }
        return settings
    }
}

extension Duration {
    var milliseconds: Int64 {
        let (seconds, attoseconds) = components
        return seconds * 1000 + attoseconds / 1_000_000_000_000_000
    }
}

/// What of a connection URL has to be known before libpq gets it.
struct ConnectionURL {
    /// In the order in which they are tried.
    var hosts: [(host: String, port: String)] = []
    var hasAddresses = false
    var options = ""

    init(_ url: String) throws {
        var message: UnsafeMutablePointer<CChar>?
        guard let parsed = PQconninfoParse(url, &message) else {
            defer { PQfreemem(message) }
            // libpq's message may repeat the URL and its password.
            throw PostgresError(.misuse, debugDetail: "the database URL cannot be read")
        }
        defer { PQconninfoFree(parsed) }
        var values: [String: String] = [:]
        var option = parsed
        while let keyword = option.pointee.keyword {
            if let value = option.pointee.val { values[String(cString: keyword)] = String(cString: value) }
            option += 1
        }
        options = values["options"] ?? ""
        hasAddresses = values["hostaddr"] != nil
        let names = (values["host"] ?? "").split(separator: ",", omittingEmptySubsequences: false).map(String.init)
        let ports = (values["port"] ?? "5432").split(separator: ",").map(String.init)
        hosts = names.enumerated().map { index, name in
            (name, ports.count > 1 && index < ports.count ? ports[index] : ports.first ?? "5432")
        }
    }

    /// Whether a host is a name that would have to be looked up, rather than a socket's folder or nothing.
    var needsResolution: Bool { !hasAddresses && hosts.contains { !$0.host.isEmpty && !$0.host.hasPrefix("/") } }
}
