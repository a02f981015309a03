extension Double {
    /// A number as people, files and addresses write one: digits, a sign, a point, an exponent (`60.17`, `-1e-05`). What Swift also reads is none: `nan`, `inf`, `0x1p3`,
    /// white space around, and what is too large to be a number.
    package init?(decimal text: some StringProtocol) {
        let isPlain = text.utf8.allSatisfy { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
        guard isPlain, let value = Double(String(text)), value.isFinite else { return nil }
        self = value
    }
}
