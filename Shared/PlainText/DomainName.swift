/// A domain, one way of writing it: browsers send `xn--bcher-kva.example` where people type `bücher.example` or `ＢＵ̈ＣＨＥＲ。ｅｘａｍｐｌｅ`.
///
/// What is typed is mapped as UTS 46 does it (`DomainMapping`), and written in ASCII as Punycode does it (RFC 3492). What such a label may be
/// is for others to judge: here two ways of writing one domain become the same.
package enum DomainName {
    private static let prefix = "xn--"

    /// Of 253 characters the bytes, at the most: what is longer is no domain, and stays as it is.
    private static let longest = 253 * 4

    /// In lower case, with one kind of stop, without what cannot be seen, in normalisation form C. What is too long for that, or has marks
    /// piled up, stays as it is.
    package static func mapped(_ typed: String) -> String { map(typed) ?? typed }

    /// With each label in ASCII.
    package static func ascii(_ domain: String) -> String {
        labels(of: domain) { label in
            if label.utf8.allSatisfy({ $0 < 0x80 }) { return label }
            return Punycode.encode(Array(label.unicodeScalars)).map { prefix + $0 } ?? label
        }
    }

    /// With each label as people write it. A label that is no Punycode stays as it is.
    package static func readable(_ domain: String) -> String {
        let written = labels(of: domain) { label in
            guard label.hasPrefix(prefix), let scalars = Punycode.decode(label.utf8.dropFirst(prefix.utf8.count)),
                scalars.contains(where: { !$0.isASCII })
            else { return label }
            let text = String(String.UnicodeScalarView(scalars))
            // Only what comes back as it was is another way of writing this.
            return ascii(text) == label ? text : label
        }
        return fits(written) ? written : mapped(domain)
    }

    /// Whether a scalar of a domain has one way of writing it: UTS 46 maps others, such as mathematical letters, and `mapped` does not.
    package static func isSettled(_ scalar: Unicode.Scalar) -> Bool { DomainMapping.isSettled(scalar) }

    private static func map(_ typed: String) -> String? {
        guard fits(typed) else { return nil }
        let text = DomainMapping.map(typed.normalized)
        // Without what was between them, marks can pile up.
        guard fits(text) else { return nil }
        let mapped = text.normalized
        return fits(mapped) ? mapped : nil
    }

    /// Bytes first: normalisation, and Punycode, take their time with what is long.
    private static func fits(_ text: String) -> Bool { text.utf8.count <= longest && StreamSafe.isSafe(text) }

    /// By scalars: a stop with an accent is one.
    private static func labels(of domain: String, _ change: (String) -> String) -> String {
        guard let mapped = map(domain) else { return domain }
        return mapped.unicodeScalars.split(separator: ".", omittingEmptySubsequences: false)
            .map { change(String($0)) }.joined(separator: ".")
    }
}

/// RFC 3492, with the numbers of its section 5.
private enum Punycode {
    private static let base = 36
    private static let least = 1
    private static let most = 26
    private static let skew = 38
    private static let damp = 700
    private static let firstBias = 72
    private static let firstCode = 0x80

    /// - Returns: Nil where a number grows too large, which no label that a domain may have makes it.
    static func encode(_ scalars: [Unicode.Scalar]) -> String? {
        let plain = scalars.filter { $0.isASCII }
        var out = String(String.UnicodeScalarView(plain))
        var handled = plain.count
        if handled > 0 { out += "-" }
        var (code, delta, bias) = (firstCode, 0, firstBias)
        while handled < scalars.count {
            guard let next = scalars.lazy.map({ Int($0.value) }).filter({ $0 >= code }).min(),
                let step = product(next - code, handled + 1), let sum = total(delta, step)
            else { return nil }
            (delta, code) = (sum, next)
            for scalar in scalars {
                if Int(scalar.value) < code { delta += 1 }
                guard Int(scalar.value) == code else { continue }
                out += variable(delta, bias)
                bias = adapted(delta, handled + 1, isFirst: handled == plain.count)
                delta = 0
                handled += 1
            }
            delta += 1
            code += 1
        }
        return out
    }

    /// - Returns: Nil where it is none.
    static func decode(_ bytes: Substring.UTF8View) -> [Unicode.Scalar]? {
        let bytes = Array(bytes)
        guard bytes.count <= 63, bytes.allSatisfy({ $0 < 0x80 }) else { return nil }
        let end = bytes.lastIndex(of: UInt8(ascii: "-")) ?? 0
        var scalars = bytes[..<end].map { Unicode.Scalar($0) }
        var position = end > 0 ? end + 1 : 0
        var (code, index, bias) = (firstCode, 0, firstBias)
        while position < bytes.count {
            let before = index
            var (weight, k) = (1, base)
            while true {
                guard position < bytes.count, let digit = value(of: bytes[position]),
                    let step = product(digit, weight), let sum = total(index, step)
                else { return nil }
                position += 1
                index = sum
                let limit = threshold(k, bias)
                if digit < limit { break }
                guard let heavier = product(weight, base - limit) else { return nil }
                (weight, k) = (heavier, k + base)
            }
            let count = scalars.count + 1
            bias = adapted(index - before, count, isFirst: before == 0)
            guard let sum = total(code, index / count), let value = UInt32(exactly: sum),
                let scalar = Unicode.Scalar(value)
            else { return nil }
            code = sum
            index %= count
            scalars.insert(scalar, at: index)
            index += 1
        }
        return scalars
    }

    private static func threshold(_ k: Int, _ bias: Int) -> Int { min(max(k - bias, least), most) }

    private static func variable(_ delta: Int, _ bias: Int) -> String {
        var (rest, k, out) = (delta, base, "")
        while true {
            let limit = threshold(k, bias)
            if rest < limit { break }
            out.unicodeScalars.append(letter(limit + (rest - limit) % (base - limit)))
            rest = (rest - limit) / (base - limit)
            k += base
        }
        out.unicodeScalars.append(letter(rest))
        return out
    }

    private static func adapted(_ delta: Int, _ count: Int, isFirst: Bool) -> Int {
        var (delta, k) = (isFirst ? delta / damp : delta / 2, 0)
        delta += delta / count
        while delta > (base - least) * most / 2 {
            delta /= base - least
            k += base
        }
        return k + (base - least + 1) * delta / (delta + skew)
    }

    private static func letter(_ digit: Int) -> Unicode.Scalar {
        Unicode.Scalar(UInt8(digit < 26 ? Int(UInt8(ascii: "a")) + digit : Int(UInt8(ascii: "0")) + digit - 26))
    }

    private static func value(of byte: UInt8) -> Int? {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"): Int(byte - UInt8(ascii: "a"))
        case UInt8(ascii: "A")...UInt8(ascii: "Z"): Int(byte - UInt8(ascii: "A"))
        case UInt8(ascii: "0")...UInt8(ascii: "9"): Int(byte - UInt8(ascii: "0")) + 26
        default: nil
        }
    }

    /// Numbers stay below 2³¹, as the RFC wants it.
    private static func total(_ one: Int, _ other: Int) -> Int? {
        let sum = one + other
        return sum < 1 << 31 ? sum : nil
    }

    private static func product(_ one: Int, _ other: Int) -> Int? {
        let (product, isTooLarge) = one.multipliedReportingOverflow(by: other)
        return isTooLarge || product >= 1 << 31 ? nil : product
    }
}
