import WireProtocol

/// What came of an import.
struct ImportSummary: Sendable {
    var kinds: [PlaceKind: Int] = [:]
    var leftOut: [LeftOut: Int] = [:]
    /// Of one id, more than once. The ways of a street are one street.
    var repeated = 0
    /// Of states and countries, by their codes.
    var regionNames = 0
    /// The community's own, drawn or listed.
    var regions: [String] = []
    var added = 0
    var changed = 0
    var removed = 0

    var read: Int { kinds.values.reduce(0, +) }
    var allLeftOut: Int { leftOut.values.reduce(0, +) }
    /// What looks like a part of something: half an object is none, half a line of a table lacks columns.
    func halves(of format: ImportFormat) -> Int {
        let reasons: [LeftOut] =
            format == .csv ? [.notUTF8, .malformed, .noPosition, .badPosition] : [.notUTF8, .malformed]
        return reasons.reduce(0) { $0 + leftOut[$1, default: 0] }
    }

    /// Whether what was read can be meant as all that there is.
    /// - Throws: Where it cannot, so that the places stay that were there before.
    func check() throws(ImportProblem) {
        // Of a few broken lines one is told; where there are many, the places with accents would be gone, and no others.
        let broken = leftOut[.notUTF8, default: 0]
        if broken > max(2, (read + allLeftOut) / 100) { throw .otherEncoding(broken) }
        guard read > 0 else { throw .nothing }
    }

    /// For people, a line for each thing that there is to say.
    var lines: [String] {
        if regionNames > 0 { return ["\(regionNames) names of regions."] + reasons }
        if !regions.isEmpty { return ["\(regions.count) regions: \(regions.joined(separator: ", "))."] }
        var lines = PlaceKind.allCases.compactMap { kind in
            kinds[kind].map { "\(Self.padded($0))  \(kind.rawValue)" }
        }
        lines += reasons
        if repeated > 0 { lines.append("\(Self.padded(repeated))  left out: is there twice") }
        let same = read - repeated - added - changed
        return lines + ["\(added) new, \(changed) changed, \(max(0, same)) as before, \(removed) removed."]
    }

    private var reasons: [String] {
        LeftOut.allCases.compactMap { reason in
            leftOut[reason].map { "\(Self.padded($0))  left out: \(reason.rawValue)" }
        }
    }

    private static func padded(_ number: Int) -> String {
        let text = String(number)
        return String(repeating: " ", count: max(0, 9 - text.count)) + text
    }
}
