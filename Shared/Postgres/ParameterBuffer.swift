/// The bytes of a statement's parameters in the form that libpq wants them.
struct ParameterBuffer {
    private var bytes: [UInt8] = []
    /// Where each value begins; nil for NULL.
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private var formats: [Int32] = []

    init(_ parameters: [BoundParameter]) {
        offsets.reserveCapacity(parameters.count)
        lengths.reserveCapacity(parameters.count)
        formats.reserveCapacity(parameters.count)
        for parameter in parameters {
            switch parameter.value {
            case .null: append(nil, count: 0, binary: false)
            case .text(let text):
                append(bytes.count, count: text.utf8.count, binary: false)
                bytes.append(contentsOf: text.utf8)
                bytes.append(0)
            case .binary(let value):
                append(bytes.count, count: value.count, binary: true)
                bytes.append(contentsOf: value)
                bytes.append(0)
            }
        }
    }

    private mutating func append(_ offset: Int?, count: Int, binary: Bool) {
        offsets.append(offset)
        lengths.append(Int32(clamping: count))
        formats.append(binary ? 1 : 0)
    }

    /// Calls `body` with (count, values, lengths, formats), which are valid during the call.
    func withPointers<Result>(
        _ body: (Int32, [UnsafePointer<CChar>?], [Int32], [Int32]) throws -> Result
    ) rethrows -> Result {
        try bytes.withUnsafeBytes { buffer in
            let begin = buffer.bindMemory(to: CChar.self).baseAddress
            let values = offsets.map { offset in offset.flatMap { start in begin.map { $0 + start } } }
            return try body(Int32(offsets.count), values, lengths, formats)
        }
    }
}

extension SQLQuery {
    /// - Throws: `.misuse` for what the protocol cannot carry, before it would be cut short or spoil the connection.
    func check() throws(PostgresError) {
        guard parameters.count <= Int(UInt16.max) else {
            throw PostgresError(.misuse, debugDetail: "\(parameters.count) parameters; 65535 are the most")
        }
        for parameter in parameters {
            if case .text(let text) = parameter.value, text.utf8.contains(0) {
                throw PostgresError(.misuse, debugDetail: "a text with a NUL character in: \(text)")
            }
        }
    }
}
