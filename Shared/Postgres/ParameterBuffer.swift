/// The bytes of a statement's parameters in the form that libpq wants them.
struct ParameterBuffer {
    private struct Value {
        /// Where it begins; nil for NULL.
        var offset: Int?
        var length: Int32
        var isBinary: Bool
    }

    private var bytes: [UInt8] = []
    private var values: [Value] = []

    init(_ parameters: [BoundParameter]) {
        values.reserveCapacity(parameters.count)
        bytes.reserveCapacity(64 * parameters.count)
        for parameter in parameters {
            switch parameter.value {
            case .null: values.append(Value(offset: nil, length: 0, isBinary: false))
            case .text(let text): append(text.utf8, isBinary: false)
            case .binary(let value): append(value, isBinary: true)
            }
        }
    }

    private mutating func append(_ value: some Collection<UInt8>, isBinary: Bool) {
        values.append(Value(offset: bytes.count, length: Int32(clamping: value.count), isBinary: isBinary))
        bytes.append(contentsOf: value)
        bytes.append(0)
    }

    /// Calls `body` with (count, values, lengths, formats), which are valid during the call.
    func withPointers<Result>(
        _ body: (
            Int32, UnsafePointer<UnsafePointer<CChar>?>?, UnsafePointer<Int32>?, UnsafePointer<Int32>?
        ) throws -> Result
    ) rethrows -> Result {
        let count = values.count
        return try bytes.withUnsafeBytes { buffer in
            let begin = buffer.bindMemory(to: CChar.self).baseAddress
            return try withUnsafeTemporaryAllocation(of: UnsafePointer<CChar>?.self, capacity: count) { pointers in
                try withUnsafeTemporaryAllocation(of: Int32.self, capacity: 2 * count) { numbers in
                    for (index, value) in values.enumerated() {
                        pointers.initializeElement(
                            at: index, to: value.offset.flatMap { offset in begin.map { $0 + offset } })
                        numbers.initializeElement(at: index, to: value.length)
                        numbers.initializeElement(at: count + index, to: value.isBinary ? 1 : 0)
                    }
                    let lengths = numbers.baseAddress.map { UnsafePointer($0) }
                    return try body(
                        Int32(count), pointers.baseAddress.map { UnsafePointer($0) }, lengths,
                        lengths.map { $0 + count })
                }
            }
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
