/// Names as Prometheus allows them: `[a-zA-Z_:][a-zA-Z0-9_:]*`.
enum PrometheusName {
    static func plain(_ label: String) -> String { fit(label, allowingColon: true) }
    static func label(_ name: String) -> String { fit(name, allowingColon: false) }
    static func counter(_ label: String) -> String { ending(plain(label), "_total") }
    static func timer(_ label: String) -> String { ending(plain(label), "_seconds") }

    private static func ending(_ name: String, _ suffix: String) -> String {
        name.hasSuffix(suffix) ? name : name + suffix
    }

    private static func fit(_ text: String, allowingColon: Bool) -> String {
        let fitted = text.unicodeScalars.map { scalar -> Character in
            switch scalar {
            case "a"..."z", "A"..."Z", "0"..."9", "_": Character(scalar)
            case ":" where allowingColon: ":"
            default: "_"
            }
        }
        guard let first = fitted.first else { return "_" }
        return first.isNumber ? "_" + String(fitted) : String(fitted)
    }
}

/// The labels of one series, in order of their names.
struct Labels: Hashable {
    struct Pair: Hashable {
        var name: String
        var value: String
    }
    let pairs: [Pair]

    init(_ dimensions: [(String, String)]) {
        var values: [String: String] = [:]
        for (name, value) in dimensions { values[PrometheusName.label(name)] = value }
        pairs = values.sorted { $0.key < $1.key }.map { Pair(name: $0.key, value: $0.value) }
    }
}

/// Writes the text exposition format 0.0.4.
struct PrometheusText {
    static let contentType = "text/plain; version=0.0.4; charset=utf-8"
    private(set) var content = ""

    mutating func add(_ name: String, _ family: PrometheusRegistry.Family) {
        content += "# TYPE \(name) \(family.kind.rawValue)\n"
        let series = family.series.map { (labels: Self.render($0.key), instrument: $0.value) }
        for (labels, instrument) in series.sorted(by: { $0.labels < $1.labels }) {
            for sample in instrument.samples() {
                let own = sample.label.map { Self.render($0.name, $0.value) }
                let all = [labels, own ?? ""].filter { !$0.isEmpty }.joined(separator: ",")
                let braces = all.isEmpty ? "" : "{\(all)}"
                content += "\(name)\(sample.suffix)\(braces) \(Self.number(sample.value))\n"
            }
        }
    }

    /// Whole numbers without a fraction, others at full precision, and the three that Prometheus spells its own way.
    static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        if let whole = Int64(exactly: value) { return String(whole) }
        return value.description
    }

    private static func render(_ labels: Labels) -> String {
        labels.pairs.map { render($0.name, $0.value) }.joined(separator: ",")
    }

    private static func render(_ name: String, _ value: String) -> String {
        var escaped = ""
        for character in value.unicodeScalars {
            switch character {
            case "\\": escaped += "\\\\"
            case "\"": escaped += "\\\""
            case "\n": escaped += "\\n"
            default: escaped.unicodeScalars.append(character)
            }
        }
        return "\(name)=\"\(escaped)\""
    }
}
