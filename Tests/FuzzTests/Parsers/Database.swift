import FoundationEssentials

@testable import Postgres

extension Parser {
    /// What the server answers, as text.
    static let database = [
        Parser(name: "array") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            if let elements = ArrayText.elements(of: text) {
                let written = ArrayText.text(of: elements.map { $0.map(PostgresParameter.text) ?? .null })
                try promise("\(written) is not \(text)", ArrayText.elements(of: written) == elements)
            }
            if let bytes = Hex.bytes(of: text) {
                try promise("\(text)", Hex.text(of: bytes) == text.lowercased())
            }
        },
        Parser(name: "timestamp") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            if let date = TimeText.date(of: text) { try roundTrip(date, text) }
            if let range = TimeText.range(of: text) {
                try roundTrip(range.lowerBound, text)
                try roundTrip(range.upperBound, text)
            }
        },
        Parser(name: "value") { bytes in
            let text = String(decoding: bytes, as: UTF8.self)
            try roundTrip(Bool.self, text)
            try roundTrip(Int.self, text)
            try roundTrip(Int16.self, text)
            try roundTrip(Int32?.self, text)
            try roundTrip([Int64?].self, text)
            try roundTrip([UInt8].self, text)
            try roundTrip([String].self, text)
            try roundTrip([[UInt8]].self, text)
            try roundTrip(UUID.self, text)
            try roundTrip([UUID].self, text)
            try roundTrip(Decimal.self, text)
            // The one value that is not itself.
            if let number = Double(postgresText: text), !number.isNaN { try roundTrip(Double.self, text) }
            _ = JSON<[String: [Date]]>(postgresText: text)
        },
    ]

    /// To the microsecond, as far as a Double tells microseconds apart.
    private static func roundTrip(_ date: Date, _ text: String) throws {
        let written = TimeText.text(of: date)
        guard let again = TimeText.date(of: written) else {
            throw Broken(description: "\(written) (\(text)) is not read")
        }
        let tolerance = max(1e-6, abs(date.timeIntervalSince1970) * 1e-15)
        let isSame = again == date || abs(again.timeIntervalSince(date)) <= tolerance
        try promise("\(text) becomes \(written)", isSame)
    }

    private static func roundTrip<Value: PostgresCodable & Equatable>(_ type: Value.Type, _ text: String) throws {
        guard let value = Value(postgresText: text) else { return }
        guard case .text(let written) = value.postgresParameter else { return }
        try promise("\(type) of \(text) becomes \(written)", Value(postgresText: written) == value)
    }
}
