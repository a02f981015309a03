@testable import KampongClient

extension Parser {
    /// What a client reads of the live stream.
    static let streams = [
        Parser(name: "events") { bytes in
            var whole = EventStreamParser()
            let messages = whole.consume(bytes)
            // Wherever the network cuts.
            for size in [1, 3, 7] {
                var parser = EventStreamParser()
                var cut: [StreamMessage] = []
                for start in stride(from: 0, to: bytes.count, by: size) {
                    cut += parser.consume(bytes[start..<min(start + size, bytes.count)])
                }
                try promise("cut into \(size): \(cut), whole: \(messages)", cut == messages)
            }
            let events = messages.compactMap { if case .event(let event) = $0 { event } else { nil } }
            let expected = reference(bytes)
            try promise("\(events) is not \(expected)", events == expected)
        }
    ]

    /// Interpreting an event stream by the letter of the standard (HTML Living Standard, 9.2.6), over bytes.
    private static func reference(_ bytes: [UInt8]) -> [StreamEvent] {
        var (events, lastID): ([StreamEvent], [UInt8]) = ([], [])
        var (name, data): ([UInt8], [UInt8]?) = ([], nil)
        for line in lines(bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(bytes.dropFirst(3)) : bytes) {
            if line.isEmpty {
                if let data {
                    events.append(
                        StreamEvent(
                            id: String(decoding: lastID, as: UTF8.self),
                            name: name.isEmpty ? "message" : String(decoding: name, as: UTF8.self),
                            data: String(decoding: data, as: UTF8.self)))
                }
                (name, data) = ([], nil)
                continue
            }
            let colon = line.firstIndex(of: UInt8(ascii: ":"))
            var value = colon.map { Array(line[($0 + 1)...]) } ?? []
            if value.first == 0x20 { value.removeFirst() }
            switch String(decoding: line[..<(colon ?? line.count)], as: UTF8.self) {
            case "id" where !value.contains(0): lastID = value
            case "event": name = value
            case "data": data = data.map { $0 + [10] + value } ?? value
            default: break
            }
        }
        return events
    }

    /// The lines that have an end.
    private static func lines(_ bytes: [UInt8]) -> [[UInt8]] {
        var (lines, line): ([[UInt8]], [UInt8]) = ([], [])
        for (index, byte) in bytes.enumerated() {
            if byte == 10, index > 0, bytes[index - 1] == 13 { continue }
            if byte == 10 || byte == 13 {
                lines.append(line)
                line = []
            } else {
                line.append(byte)
            }
        }
        return lines
    }
}
