import Glibc

/// Which network addresses are out in the world: those at which strangers' pictures may lie. Whatever is inside (this machine, the
/// operator's networks, a cloud's own services) is not to be asked because a stranger named it.
enum PublicNetwork {
    static func contains(four address: [UInt8]) -> Bool {
        precondition(address.count == 4)
        return !inside.contains { network, bits in matches(address, network, bits) }
    }

    static func contains(six address: [UInt8]) -> Bool {
        precondition(address.count == 16)
        // An address of IPv4 in other clothes.
        if matches(address, Array(repeating: 0, count: 10) + [0xFF, 0xFF], 96) {
            return contains(four: Array(address[12...]))
        }
        // What is given out to networks, less what leads elsewhere in a tunnel and what stands in books.
        return matches(address, [0x20], 3) && !matches(address, [0x20, 0x02], 16)
            && !matches(address, [0x20, 0x01, 0, 0], 32) && !matches(address, [0x20, 0x01, 0x0D, 0xB8], 32)
    }

    static func contains(_ address: UnsafePointer<sockaddr>) -> Bool {
        let raw = UnsafeRawPointer(address)
        switch Int32(address.pointee.sa_family) {
        case AF_INET:
            let ip = raw.loadUnaligned(as: sockaddr_in.self).sin_addr
            return contains(four: withUnsafeBytes(of: ip) { Array($0) })
        case AF_INET6:
            let ip = raw.loadUnaligned(as: sockaddr_in6.self).sin6_addr
            return contains(six: withUnsafeBytes(of: ip) { Array($0) })
        default: return false
        }
    }

    /// Whether all the addresses of a host are; nil where it has none. Waits for the name server.
    static func contains(host: String) -> Bool? {
        var wanted = addrinfo()
        wanted.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var found: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &wanted, &found) == 0 else { return nil }
        defer { freeaddrinfo(found) }
        var (next, answer): (UnsafeMutablePointer<addrinfo>?, Bool?) = (found, nil)
        while let entry = next?.pointee {
            guard let address = entry.ai_addr, contains(address) else { return false }
            (next, answer) = (entry.ai_next, true)
        }
        return answer
    }

    /// IANA's registry of special purposes, in as few entries as say the same.
    private static let inside: [([UInt8], Int)] = [
        ([0], 8), ([10], 8), ([100, 64], 10), ([127], 8), ([169, 254], 16), ([172, 16], 12), ([192, 0, 0], 24),
        ([192, 0, 2], 24), ([192, 88, 99], 24), ([192, 168], 16), ([198, 18], 15), ([198, 51, 100], 24),
        ([203, 0, 113], 24), ([224], 3),
    ]

    private static func matches(_ address: [UInt8], _ network: [UInt8], _ bits: Int) -> Bool {
        (0..<bits).allSatisfy { bit in
            let mask = UInt8(0x80) >> (bit % 8)
            return address[bit / 8] & mask == (bit / 8 < network.count ? network[bit / 8] : 0) & mask
        }
    }
}
