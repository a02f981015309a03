/// JSON with placeholders in its texts.
enum JSONTemplate: Hashable, Sendable {
    case text(String)
    case number(Double)
    case truth(Bool)
    case list([JSONTemplate])
    case object([String: JSONTemplate])
    case null

    var texts: [String] {
        switch self {
        case .text(let text): [text]
        case .list(let items): items.flatMap(\.texts)
        case .object(let members): members.values.flatMap(\.texts)
        case .number, .truth, .null: []
        }
    }

    func map(_ change: (String) -> String) -> JSONTemplate {
        switch self {
        case .text(let text): .text(change(text))
        case .list(let items): .list(items.map { $0.map(change) })
        case .object(let members): .object(members.mapValues { $0.map(change) })
        case .number, .truth, .null: self
        }
    }
}

extension JSONTemplate: Codable {
    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let truth = try? container.decode(Bool.self) {
            self = .truth(truth)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let items = try? container.decode([JSONTemplate].self) {
            self = .list(items)
        } else {
            self = .object(try container.decode([String: JSONTemplate].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .text(let text): try container.encode(text)
        case .number(let number): try container.encode(number)
        case .truth(let truth): try container.encode(truth)
        case .list(let items): try container.encode(items)
        case .object(let members): try container.encode(members)
        case .null: try container.encodeNil()
        }
    }
}
