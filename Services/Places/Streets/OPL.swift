/// One object of osmium's text format OPL (osmium-file-formats(5), "OPL"): a line of fields that begin with a letter each.
enum OPLObject: Equatable {
    case node(id: Int64, point: GridPoint, tags: [String: String])
    case way(id: Int64, nodes: [Int64], tags: [String: String])
    /// A relation, something deleted, or a node without a place.
    case other

    /// - Parameter line: Without its line feed.
    /// - Throws: `OPLFault`.
    init(line: some RandomAccessCollection<UInt8>) throws(OPLFault) {
        var fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: true).makeIterator()
        guard let first = fields.next(), let kind = first.first else {
            self = .other
            return
        }
        guard "nwrc".utf8.contains(kind) else { throw OPLFault(reason: "it does not begin with n, w, r or c") }
        guard let id = OPL.integer(first.dropFirst()) else { throw OPLFault(reason: "it has no id") }
        guard kind == UInt8(ascii: "n") || kind == UInt8(ascii: "w") else {
            self = .other
            return
        }
        var (x, y): (Int32?, Int32?) = (nil, nil)
        var (tags, nodes): ([String: String], [Int64]) = ([:], [])
        var isDeleted = false
        while let field = fields.next() {
            let value = field.dropFirst()
            switch field.first {
            case UInt8(ascii: "d"): isDeleted = value.first == UInt8(ascii: "D")
            case UInt8(ascii: "x") where !value.isEmpty: x = try OPL.degrees(value, limit: 180)
            case UInt8(ascii: "y") where !value.isEmpty: y = try OPL.degrees(value, limit: 90)
            case UInt8(ascii: "T"): tags = try OPL.tags(value)
            case UInt8(ascii: "N"): nodes = try OPL.nodes(value)
            default: break
            }
        }
        if isDeleted {
            self = .other
        } else if kind == UInt8(ascii: "w") {
            self = .way(id: id, nodes: nodes, tags: tags)
        } else if let x, let y {
            self = .node(id: id, point: GridPoint(x: x, y: y), tags: tags)
        } else {
            self = .other
        }
    }
}

/// What is wrong with a line.
struct OPLFault: Error { var reason: String }

/// The values of OPL's fields.
enum OPL {
    static func integer(_ text: some Collection<UInt8>) -> Int64? {
        var rest = text[...]
        let isNegative = rest.first == UInt8(ascii: "-")
        if isNegative { rest = rest.dropFirst() }
        guard !rest.isEmpty, rest.count <= 18 else { return nil }
        var value: Int64 = 0
        for byte in rest {
            guard case let digit = byte &- UInt8(ascii: "0"), digit < 10 else { return nil }
            value = value * 10 + Int64(digit)
        }
        return isNegative ? -value : value
    }

    /// Decimal degrees in ten-millionths, without a detour by binary fractions.
    static func degrees(_ text: some Collection<UInt8>, limit: Int64) throws(OPLFault) -> Int32 {
        let parts = text.split(separator: UInt8(ascii: "."), maxSplits: 1, omittingEmptySubsequences: false)
        let isNegative = text.first == UInt8(ascii: "-")
        let fraction = parts.count == 2 ? Array(parts[1].prefix(7)) : []
        let padded = fraction + Array(repeating: UInt8(ascii: "0"), count: 7 - fraction.count)
        guard let whole = parts.first.flatMap({ integer($0) }), abs(whole) <= limit,
            let small = integer(padded), small >= 0
        else { throw OPLFault(reason: "a coordinate is no number of degrees") }
        let value = abs(whole) * 10_000_000 + small
        guard value <= limit * 10_000_000 else { throw OPLFault(reason: "a coordinate is not on the earth") }
        return Int32(isNegative ? -value : value)
    }

    /// `n1,n2`; a place may follow each (`n1x24.9y60.1`), and is not needed.
    static func nodes(_ text: some Collection<UInt8>) throws(OPLFault) -> [Int64] {
        var found: [Int64] = []
        for item in text.split(separator: UInt8(ascii: ",")) {
            let digits = item.dropFirst().prefix { $0 != UInt8(ascii: "x") }
            guard item.first == UInt8(ascii: "n"), let id = integer(digits) else {
                throw OPLFault(reason: "a way names something that is no node")
            }
            found.append(id)
        }
        return found
    }

    static func tags(_ text: some Collection<UInt8>) throws(OPLFault) -> [String: String] {
        var found: [String: String] = [:]
        for item in text.split(separator: UInt8(ascii: ",")) {
            let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2 else { throw OPLFault(reason: "a tag has no value") }
            found[try string(parts[0])] = try string(parts[1])
        }
        return found
    }

    /// Text in which `%hex%` stands for the character of that number.
    static func string(_ text: some Collection<UInt8>) throws(OPLFault) -> String {
        guard text.contains(UInt8(ascii: "%")) else { return String(decoding: text, as: UTF8.self) }
        var result = ""
        let parts = text.split(separator: UInt8(ascii: "%"), omittingEmptySubsequences: false)
        guard parts.count % 2 == 1 else { throw OPLFault(reason: "an escaped character has no end") }
        for (index, part) in parts.enumerated() {
            if index % 2 == 0 {
                result += String(decoding: part, as: UTF8.self)
            } else {
                guard part.count <= 6, let number = UInt32(String(decoding: part, as: UTF8.self), radix: 16),
                    let scalar = Unicode.Scalar(number)
                else { throw OPLFault(reason: "an escaped character is none") }
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
