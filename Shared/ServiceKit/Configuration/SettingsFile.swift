import FoundationEssentials

/// A JSON file of settings, as the variables that would say the same: `{"kampong": {"http": {"port": 81}}}` is `KAMPONG_HTTP_PORT=81`,
/// and a list is its entries with commas between.
///
/// The library's own reader of such files would link all of Foundation into every service, for `JSONSerialization`.
enum SettingsFile {
    /// - Throws: where the file cannot be read, or holds anything else than an object.
    static func variables(at path: String) throws -> [String: String] {
        guard let data = FileManager.default.contents(atPath: path) else { throw CocoaError(.fileReadNoSuchFile) }
        var variables: [String: String] = [:]
        for (name, value) in try JSONDecoder().decode([String: Value].self, from: data) {
            value.add(to: &variables, as: name.uppercased())
        }
        return variables
    }

    private enum Value: Decodable {
        case text(String)
        case list([Value])
        case object([String: Value])
        case nothing

        init(from decoder: any Decoder) throws {
            let container = try decoder.singleValueContainer()
            if container.decodeNil() {
                self = .nothing
            } else if let object = try? container.decode([String: Value].self) {
                self = .object(object)
            } else if let list = try? container.decode([Value].self) {
                self = .list(list)
            } else if let bool = try? container.decode(Bool.self) {
                self = .text("\(bool)")
            } else if let whole = try? container.decode(Int.self) {
                self = .text("\(whole)")
            } else if let number = try? container.decode(Double.self) {
                self = .text("\(number)")
            } else {
                self = .text(try container.decode(String.self))
            }
        }

        func add(to variables: inout [String: String], as name: String) {
            switch self {
            case .text(let text): variables[name] = text
            case .list(let values): variables[name] = values.compactMap(\.text).joined(separator: ",")
            case .object(let values):
                for (key, value) in values { value.add(to: &variables, as: "\(name)_\(key.uppercased())") }
            case .nothing: break
            }
        }

        private var text: String? { if case .text(let text) = self { text } else { nil } }
    }
}
