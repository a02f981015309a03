import PlainText

/// Which neighbours are believed when they say whose request they pass on.
package struct TrustedProxies: Hashable, Sendable {
    private let networks: [Network]

    /// - Parameter list: addresses and networks (`10.0.0.0/8`, `::1`).
    /// - Throws: the entry that is neither.
    package init(_ list: [String]) throws(Unreadable) {
        var networks: [Network] = []
        for entry in list {
            guard let network = Network(entry) else { throw Unreadable(entry: entry) }
            networks.append(network)
        }
        self.networks = networks
    }

    package static let none = TrustedProxies(networks: [])
    private init(networks: [Network]) { self.networks = networks }

    package struct Unreadable: Error, Hashable {
        package let entry: String
        package init(entry: String) { self.entry = entry }
    }

    /// The address of the person: the last one in `X-Forwarded-For` that no trusted proxy wrote about another trusted proxy.
    package func client(peer: String, forwardedFor: [String]) -> String {
        guard trusts(peer) else { return peer }
        // By bytes: what a stranger wrote last must not make one character with the comma of the proxy behind it.
        let hops = forwardedFor.flatMap { Array($0.utf8).split(separator: UInt8(ascii: ",")) }
            .map { String(decoding: $0, as: UTF8.self).trimmed }
        var client = peer
        for hop in hops.reversed() {
            guard IPAddress(hop) != nil else { break }
            client = hop
            if !trusts(hop) { break }
        }
        return client
    }

    package func trusts(_ address: String) -> Bool {
        guard let address = IPAddress(address) else { return false }
        return networks.contains { $0.contains(address) }
    }

    private struct Network: Hashable, Sendable {
        let address: IPAddress
        let bits: Int

        init?(_ text: String) {
            let parts = text.split(separator: "/", maxSplits: 1)
            guard let first = parts.first, let address = IPAddress(String(first)) else { return nil }
            let width = address.bytes.count * 8
            guard let bits = parts.count > 1 ? Int(parts[1]) : width, (0...width).contains(bits) else { return nil }
            self.address = address
            self.bits = bits
        }

        func contains(_ other: IPAddress) -> Bool {
            other.bytes.count == address.bytes.count && other.prefix(bits) == address.prefix(bits)
        }
    }
}

/// An IPv4 or IPv6 address as bytes; IPv4 in IPv6 counts as IPv4.
package struct IPAddress: Hashable, Sendable {
    package let bytes: [UInt8]

    package init?(_ text: String) {
        guard let bytes = text.contains(":") ? Self.six(text) : Self.four(text) else { return nil }
        let mapped: [UInt8] = Array(repeating: 0, count: 10) + [0xFF, 0xFF]
        self.bytes = bytes.count == 16 && bytes.starts(with: mapped) ? Array(bytes[12...]) : bytes
    }

    func prefix(_ bits: Int) -> [UInt8] {
        bytes.indices.map { index in
            let kept = min(8, max(0, bits - index * 8))
            return kept == 8 ? bytes[index] : bytes[index] & ~(0xFF >> UInt8(kept))
        }
    }

    /// What limits are counted by: an IPv4 address, or the /64 that an IPv6 customer has at least.
    package var customer: [UInt8] { bytes.count == 16 ? Array(bytes[..<8]) : bytes }

    private static func four(_ text: String) -> [UInt8]? {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        let bytes = parts.compactMap { $0.utf8.allSatisfy { (0x30...0x39).contains($0) } ? UInt8($0) : nil }
        return parts.count == 4 && bytes.count == 4 ? bytes : nil
    }

    private static func six(_ text: String) -> [UInt8]? {
        // A zone (%eth0) says by which interface, not who.
        let halves = String(text.prefix { $0 != "%" }).split(
            separator: "::", maxSplits: 1, omittingEmptySubsequences: false)
        guard let head = groups(halves[0]) else { return nil }
        guard halves.count == 2 else { return head.count == 16 ? head : nil }
        guard let tail = groups(halves[1]), head.count + tail.count <= 14 else { return nil }
        return head + Array(repeating: 0, count: 16 - head.count - tail.count) + tail
    }

    private static func groups(_ text: Substring) -> [UInt8]? {
        if text.isEmpty { return [] }
        var bytes: [UInt8] = []
        for group in text.split(separator: ":", omittingEmptySubsequences: false) {
            if group.contains(".") {
                guard let four = four(String(group)) else { return nil }
                bytes += four
            } else {
                // A sign would be read as well.
                guard (1...4).contains(group.utf8.count), group.first != "+", group.first != "-",
                    let value = UInt16(group, radix: 16)
                else { return nil }
                bytes += [UInt8(value >> 8), UInt8(value & 0xFF)]
            }
        }
        return bytes
    }
}
