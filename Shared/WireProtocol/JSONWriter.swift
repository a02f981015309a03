#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Writes a value as JSON straight into bytes: the bytes that `JSONEncoder` makes with sorted keys and plain slashes, times by `WireJSON`.
///
/// Foundation's encoder first makes a tree with a box for each value and then writes that: 231 µs for a page of twenty spots, where this takes
/// 83 (`deploy/bench --only documents`). None of the packages that Kampong is built of has another one. What this one does not know
/// (`Data`, say, or a number that JSON has no form for) it leaves to Foundation's: it gives up, and `WireJSON` asks that.
///
/// Not for two threads at once.
final class JSONWriter {
    /// An object, an array or a single value that is being written.
    private struct Frame {
        enum Kind { case undecided, object, array }
        var kind = Kind.undecided
        var serial: Int
        /// Where its members begin, among all members.
        let firstMember: Int
        var isEmpty = true
        /// Whether its keys came in their order so far.
        var isSorted = true
    }

    /// A member of an open object: where its key is, and where its value ends.
    private struct Member {
        /// The first eight bytes of the key, which are what most keys differ in.
        var prefix: UInt64
        var key: Range<Int>
        var end: Int
    }

    private(set) var bytes: [UInt8] = []
    private var frames: [Frame] = []
    private var members: [Member] = []
    private var lastSerial = 0
    /// Whether there was something that it cannot write.
    private(set) var givesUp = false

    /// Nil where it does not know how; then `JSONEncoder` does, or says why not.
    static func bytes(of value: some Encodable) throws -> [UInt8]? {
        let writer = JSONWriter()
        writer.bytes.reserveCapacity(512)
        try writer.write(value)
        return writer.givesUp ? nil : writer.bytes
    }

    // MARK: Values

    func write<Value: Encodable>(_ value: Value) throws {
        guard !givesUp else { return }
        if Value.self == Date.self {
            writeText(WireJSON.text(of: value as! Date))
        } else if Value.self == String.self {
            writeText(value as! String)
        } else if Value.self == Data.self || Value.self == URL.self || Value.self == Decimal.self {
            giveUp()
        } else if Value.self == UUID.self {
            writeText((value as! UUID).uuidString)
        } else {
            let depth = frames.count
            let before = bytes.count
            open(.undecided)
            try value.encode(to: JSONValueEncoder(writer: self, serial: lastSerial))
            close(downTo: depth)
            // Foundation has an opinion about what encodes nothing.
            if bytes.count == before { giveUp() }
        }
    }

    func giveUp() { givesUp = true }

    func writeNull() { append("null") }
    func writeFlag(_ value: Bool) { append(value ? "true" : "false") }
    func writeInteger(_ value: some FixedWidthInteger) {
        append(String(value))
    }

    /// The shortest digits that mean this number, as Swift writes them; whole ones without a fraction.
    func writeNumber(_ text: String, isFinite: Bool) {
        guard isFinite else { return giveUp() }
        append(text.hasSuffix(".0") ? text.dropLast(2) : text[...])
    }

    /// What is JSON already.
    func passOn(_ json: String) { append(json) }

    func writeText(_ text: String) {
        var text = text
        bytes.append(UInt8(ascii: "\""))
        text.withUTF8 { utf8 in
            var plain = 0
            for (index, byte) in utf8.enumerated() where byte < 0x20 || byte == 0x22 || byte == 0x5C {
                bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[plain..<index]))
                writeEscaped(byte)
                plain = index + 1
            }
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: utf8[plain...]))
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private func writeEscaped(_ byte: UInt8) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        case 0x22, 0x5C: bytes.append(byte)
        default:
            append(byte < 0x10 ? "u000" : "u00")
            append(String(byte, radix: 16))
        }
    }

    private func append(_ text: some StringProtocol) { bytes.append(contentsOf: text.utf8) }

    // MARK: Objects and arrays

    /// Begins an object or an array within what is being written.
    /// - Returns: what names it, as long as it is open.
    func open(_ isObject: Bool) -> Int {
        open(isObject ? .object : .array)
        bytes.append(UInt8(ascii: isObject ? "{" : "["))
        return lastSerial
    }

    /// Makes an object or an array of the value that is being written; a second time where it is one already.
    func decide(_ serial: Int, isObject: Bool) {
        guard returns(to: serial), let top = frames.indices.last else { return }
        let kind: Frame.Kind = isObject ? .object : .array
        if frames[top].kind == .undecided {
            frames[top].kind = kind
            bytes.append(UInt8(ascii: isObject ? "{" : "["))
        } else if frames[top].kind != kind {
            giveUp()
        }
    }

    /// Goes on in an object: its next member is called so. False where that cannot be.
    func member(_ key: String, of serial: Int) -> Bool {
        guard returns(to: serial), let top = frames.indices.last else { return false }
        if !frames[top].isEmpty {
            members[members.count - 1].end = bytes.count
            bytes.append(UInt8(ascii: ","))
        }
        guard let member = begin(key) else {
            giveUp()
            return false
        }
        if !frames[top].isEmpty, !comes(members[members.count - 1], before: member) { frames[top].isSorted = false }
        members.append(member)
        frames[top].isEmpty = false
        return true
    }

    /// Goes on in an array. False where that cannot be.
    func element(of serial: Int) -> Bool {
        guard returns(to: serial), let top = frames.indices.last else { return false }
        if !frames[top].isEmpty { bytes.append(UInt8(ascii: ",")) }
        frames[top].isEmpty = false
        return true
    }

    private func open(_ kind: Frame.Kind) {
        lastSerial += 1
        frames.append(Frame(kind: kind, serial: lastSerial, firstMember: members.count))
    }

    /// Closes what was begun within this one and is not written any more. Where it is closed itself, that is beyond us.
    private func returns(to serial: Int) -> Bool {
        guard !givesUp else { return false }
        if frames.last?.serial == serial { return true }
        guard let index = frames.lastIndex(where: { $0.serial == serial }) else {
            giveUp()
            return false
        }
        close(downTo: index + 1)
        return !givesUp
    }

    private func close(downTo depth: Int) {
        while frames.count > depth, let frame = frames.popLast() {
            switch frame.kind {
            case .undecided: break
            case .array: bytes.append(UInt8(ascii: "]"))
            case .object:
                if !frame.isEmpty { members[members.count - 1].end = bytes.count }
                if !frame.isSorted { sort(members[frame.firstMember...]) }
                members.removeSubrange(frame.firstMember...)
                bytes.append(UInt8(ascii: "}"))
            }
        }
    }

    // MARK: Order

    /// Writes a key. Nil where it has letters that are not of ASCII, which Foundation orders in its own way, or that have to be escaped.
    private func begin(_ key: String) -> Member? {
        var key = key
        return key.withUTF8 { utf8 in
            var prefix: UInt64 = 0
            for (number, byte) in utf8.enumerated() {
                guard (0x20..<0x80).contains(byte), byte != 0x22, byte != 0x5C else { return nil }
                if number < 8 { prefix |= UInt64(byte) &<< (56 &- 8 &* UInt64(number)) }
            }
            bytes.append(UInt8(ascii: "\""))
            let start = bytes.count
            bytes.append(contentsOf: utf8)
            bytes.append(UInt8(ascii: "\""))
            bytes.append(UInt8(ascii: ":"))
            return Member(prefix: prefix, key: start..<start + utf8.count, end: 0)
        }
    }

    private func comes(_ one: Member, before other: Member) -> Bool {
        if one.prefix != other.prefix { return one.prefix < other.prefix }
        // Twice the same key: the last one counts, says Foundation.
        if one.key.count == other.key.count, bytes[one.key].elementsEqual(bytes[other.key]) { giveUp() }
        return bytes[one.key].lexicographicallyPrecedes(bytes[other.key])
    }

    private func sort(_ unsorted: ArraySlice<Member>) {
        guard let first = unsorted.first, let last = unsorted.last else { return }
        let start = first.key.lowerBound - 1
        var sorted: [UInt8] = []
        sorted.reserveCapacity(last.end - start)
        for member in unsorted.sorted(by: comes) {
            if !sorted.isEmpty { sorted.append(UInt8(ascii: ",")) }
            sorted.append(contentsOf: bytes[member.key.lowerBound - 1..<member.end])
        }
        bytes.replaceSubrange(start..<last.end, with: sorted)
    }
}
