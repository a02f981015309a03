import CPostgres
import Glibc
import Reactor

/// Establishes one connection without ever blocking the reactor; confined to its thread.
final class PostgresConnector {
    private let reactor: Reactor
    private let connection: OpaquePointer
    private var watched: Int32?
    private var timer: TimerID?
    private var completion: ((Result<OpaquePointer, PostgresError>) -> Void)?

    /// Starts connecting. `completion` is called once, never from within this call; it owns the connection thereafter.
    init?(
        keywords: [(String, String)], timeout: Duration, reactor: Reactor,
        completion: @escaping (Result<OpaquePointer, PostgresError>) -> Void
    ) {
        guard let connection = Self.begin(keywords) else { return nil }
        self.reactor = reactor
        self.connection = connection
        self.completion = completion
        timer = reactor.schedule(after: timeout) { [self] in fail("no connection within the time limit") }
        if PQstatus(connection) == CONNECTION_BAD {
            reactor.schedule(after: .zero) { [self] in fail(nil) }
        } else {
            wait(for: .writable)
        }
    }

    private static func begin(_ keywords: [(String, String)]) -> OpaquePointer? {
        let names = keywords.map { strdup($0.0) }
        let values = keywords.map { strdup($0.1) }
        defer { (names + values).forEach { free($0) } }
        let terminated = { (texts: [UnsafeMutablePointer<CChar>?]) in texts.map { UnsafePointer($0) } + [nil] }
        return PQconnectStartParams(terminated(names), terminated(values), 1)
    }

    private func wait(for interest: Interest) {
        let socket = PQsocket(connection)
        guard socket >= 0 else { return fail(nil) }
        watched = socket
        reactor.watch(socket, for: interest) { [self] _ in poll() }
    }

    private func poll() {
        // libpq may close the socket and open another (for the next address, or without TLS), perhaps under the same number.
        unwatch()
        switch PQconnectPoll(connection) {
        case PGRES_POLLING_OK: finish(.success(connection))
        case PGRES_POLLING_READING: wait(for: .readable)
        case PGRES_POLLING_WRITING: wait(for: .writable)
        default: fail(nil)
        }
    }

    private func unwatch() {
        if let watched { reactor.unwatch(watched) }
        watched = nil
    }

    private func fail(_ reason: String?) {
        guard completion != nil else { return }
        unwatch()
        let words = reason ?? String(cString: PQerrorMessage(connection)).trimmingSuffix(while: \.isWhitespace)
        PQfinish(connection)
        finish(.failure(PostgresError(.unavailable, debugDetail: words)))
    }

    private func finish(_ result: Result<OpaquePointer, PostgresError>) {
        if let timer { reactor.cancel(timer) }
        timer = nil
        let completion = self.completion
        self.completion = nil
        completion?(result)
    }
}

/// Numeric addresses of names. Blocks; not for the reactor.
enum NameLookup {
    static func addresses(
        of hosts: [(host: String, port: String)]
    ) throws(PostgresError) -> [(host: String, address: String, port: String)] {
        var found: [(host: String, address: String, port: String)] = []
        for (host, port) in hosts {
            // A socket's folder, or the default one, has no address.
            if host.isEmpty || host.hasPrefix("/") {
                found.append((host, "", port))
            } else {
                found += addresses(of: host).map { (host, $0, port) }
            }
        }
        guard !found.isEmpty else {
            throw PostgresError(
                .unavailable, debugDetail: "no address for \(hosts.map(\.host).joined(separator: ", "))")
        }
        return found
    }

    private static func addresses(of host: String) -> [String] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [String] = []
        var next = list
        while let entry = next?.pointee {
            var buffer = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let status = getnameinfo(
                entry.ai_addr, entry.ai_addrlen, &buffer, socklen_t(buffer.count), nil, 0, NI_NUMERICHOST)
            let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
            if status == 0 { addresses.append(String(decoding: text, as: UTF8.self)) }
            next = entry.ai_next
        }
        return addresses
    }
}
