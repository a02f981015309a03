import Glibc

/// Where a socket connects to: `tcp://host:port`, with a name, an IPv4 address or a bracketed IPv6 address, or `ipc://path`.
package struct Endpoint: Hashable, Sendable, CustomStringConvertible {
    package let description: String
    let host: String?
    let port: String

    package init?(_ text: String) {
        description = text
        if text.hasPrefix("ipc://"), text.utf8.count > 6 {
            (host, port) = (nil, "")
            return
        }
        guard text.hasPrefix("tcp://"), let colon = text.lastIndex(of: ":") else { return nil }
        var host = text[text.index(text.startIndex, offsetBy: 6)...]
        guard colon > host.startIndex, let number = UInt16(text[text.index(after: colon)...]), number > 0 else {
            return nil
        }
        host = host[..<colon]
        if host.hasPrefix("["), host.hasSuffix("]") { host = host.dropFirst().dropLast() }
        guard !host.isEmpty else { return nil }
        self.host = String(host)
        port = String(number)
    }

    /// The endpoints in numbers, all addresses of the name; empty when it does not resolve. Blocks.
    package func resolved() -> Set<String> {
        guard let host else { return [description] }
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var first: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, port, &hints, &first) == 0 else { return [] }
        defer { freeaddrinfo(first) }
        var (found, next) = (Set<String>(), first)
        while let entry = next?.pointee {
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            let flags = NI_NUMERICHOST
            if getnameinfo(entry.ai_addr, entry.ai_addrlen, &name, socklen_t(name.count), nil, 0, flags) == 0 {
                let address = String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
                found.insert(entry.ai_family == AF_INET6 ? "tcp://[\(address)]:\(port)" : "tcp://\(address):\(port)")
            }
            next = entry.ai_next
        }
        return found
    }
}
