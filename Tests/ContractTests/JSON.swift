import Foundation

/// A JSON document as a value, so that documents are compared by what they say and not by how they are written.
enum JSON: Codable, Equatable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([JSON])
    case object([String: JSON])

    init(_ bytes: [UInt8]) throws { self = try JSONDecoder().decode(JSON.self, from: Data(bytes)) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([JSON].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: JSON].self))
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .null: try container.encodeNil()
        case .bool(let value): try container.encode(value)
        case .number(let value): try container.encode(value)
        case .string(let value): try container.encode(value)
        case .array(let value): try container.encode(value)
        case .object(let value): try container.encode(value)
        }
    }

    var bytes: [UInt8] { get throws { Array(try JSONEncoder().encode(self)) } }

    /// The same document as a later version of its writer might send it: every object says one thing more.
    var withMore: JSON {
        switch self {
        case .array(let items): .array(items.map(\.withMore))
        case .object(let fields):
            .object(fields.mapValues(\.withMore).merging(["ofALaterVersion": .array([.null])]) { old, _ in old })
        default: self
        }
    }
}

/// The committed documents.
enum Fixtures {
    static let all: [URL] = try! FileManager.default.contentsOfDirectory(
        at: Bundle.module.resourceURL!.appendingPathComponent("Fixtures"), includingPropertiesForKeys: nil
    ).filter { $0.pathExtension == "json" }

    /// Where it is committed, to be written anew.
    static func source(_ name: String) -> URL {
        URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/\(name).json")
    }

    static func bytes(_ name: String) throws -> [UInt8] {
        guard let url = all.first(where: { $0.lastPathComponent == "\(name).json" }) else {
            throw CocoaError(.fileNoSuchFile)
        }
        return Array(try Data(contentsOf: url))
    }

    /// Every document of every type: file → type → examples.
    static func examples() throws -> [String: [String: [JSON]]] {
        let bodies = all.filter { !["frames.json", "names.json"].contains($0.lastPathComponent) }
        return try Dictionary(
            uniqueKeysWithValues: bodies.map {
                let name = $0.deletingPathExtension().lastPathComponent
                return (name, try JSONDecoder().decode([String: [JSON]].self, from: Data(try bytes(name))))
            })
    }
}
