/// Comparing secrets.
enum ConstantTime {
    /// Looks at all bytes, so that the time does not tell where they differ.
    static func equal(_ one: [UInt8], _ other: [UInt8]) -> Bool {
        one.count == other.count && zip(one, other).reduce(UInt8(0)) { $0 | ($1.0 ^ $1.1) } == 0
    }
}
