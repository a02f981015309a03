import FoundationEssentials
import Logging
import WireProtocol

/// One thing to be logged, and the two ways in which it is written.
struct LogLine {
    var time: Date
    var level: Logger.Level
    var service: String
    /// The logger's label where it is not the service's name.
    var label: String?
    var message: String
    var error: String?
    var metadata: Logger.Metadata

    /// One line of JSON: `time`, `level`, `service`, `message`, then `trace` and `span` where there are, `error`, and the
    /// rest under `metadata`.
    func json() -> [UInt8] {
        var json = JSONText()
        json.begin()
        json.add("time", WireJSON.text(of: time))
        json.add("level", level.rawValue)
        json.add("service", service)
        if let label { json.add("logger", label) }
        json.add("message", message)
        var rest = metadata
        for key in ["trace", "span"] {
            if let value = rest.removeValue(forKey: key) { json.add(key, value) }
        }
        if let error { json.add("error", error) }
        if !rest.isEmpty { json.add("metadata", .dictionary(rest)) }
        json.end()
        json.bytes.append(UInt8(ascii: "\n"))
        return json.bytes
    }

    /// A line for a terminal: time of day, level, service, message, then `key=value` in order of the keys.
    func text() -> [UInt8] {
        let clock = WireJSON.text(of: time).dropFirst(11).dropLast()
        let name = level.rawValue.uppercased()
        let padding = String(repeating: " ", count: max(0, 8 - name.count))
        let source = label.map { "\(service)/\($0)" } ?? service
        var line = "\(clock) \(name)\(padding) \(source): \(Self.printable(message))"
        if let error { line += " error=\(Self.quoted(error))" }
        for (key, value) in metadata.sorted(by: { $0.key < $1.key }) {
            line += " \(Self.printable(key))=\(Self.quoted("\(value)"))"
        }
        return Array((line + "\n").utf8)
    }

    /// Without control characters, so that nothing that is logged can forge a line or move the cursor.
    private static func printable(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isControl) else { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            if isControl(scalar) {
                result += "\\u{\(String(scalar.value, radix: 16))}"
            } else {
                result.unicodeScalars.append(scalar)
            }
        }
        return result
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.generalCategory == .control
    }

    private static func quoted(_ text: String) -> String {
        let text = printable(text)
        guard text.isEmpty || text.utf8.contains(where: { " \"=".utf8.contains($0) }) else { return text }
        // By scalars: an accent behind a quotation mark does not hide it from who reads the line.
        var quoted = "\"".unicodeScalars
        for scalar in text.unicodeScalars {
            if scalar == "\\" || scalar == "\"" { quoted.append("\\") }
            quoted.append(scalar)
        }
        return String(quoted) + "\""
    }
}
