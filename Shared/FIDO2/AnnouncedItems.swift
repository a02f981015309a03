/// What CBOR announces, looked at before libcbor is: it makes room for as many items as an array or a map says that it has, and five
/// bytes can say four thousand millions (RFC 8949, 3.1).
enum AnnouncedItems {
    /// Whether there are bytes enough for all that is announced. Each item takes one at least, so all arrays and maps together have no more
    /// items than there are bytes; and a string has no more bytes than are left.
    ///
    /// What it lets pass may still be no CBOR: libcbor finds that out.
    static func fit(_ bytes: ArraySlice<UInt8>) -> Bool {
        var rest = bytes
        var announced: UInt64 = 0
        while let head = rest.popFirst() {
            guard let argument = argument(of: head, &rest) else { return false }
            switch head >> 5 {
            case 2, 3:
                guard argument <= rest.count else { return false }
                rest = rest.dropFirst(Int(argument))
            case 4, 5:
                // A map has two for each.
                let items = head >> 5 == 4 ? argument : argument &* 2
                guard argument <= bytes.count, announced + items <= bytes.count else { return false }
                announced += items
            default: break
            }
        }
        return true
    }

    /// The number behind an item's first byte; 0 where its length is not announced.
    private static func argument(of head: UInt8, _ rest: inout ArraySlice<UInt8>) -> UInt64? {
        let low = head & 0x1F
        guard low >= 24 else { return UInt64(low) }
        guard low != 31 else { return 0 }
        guard low < 28 else { return nil }
        let width = 1 << Int(low - 24)
        guard rest.count >= width else { return nil }
        defer { rest = rest.dropFirst(width) }
        return rest.prefix(width).reduce(0) { $0 << 8 | UInt64($1) }
    }
}
