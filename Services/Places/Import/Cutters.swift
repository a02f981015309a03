/// Cuts a file into the pieces that are places, or are none, as its bytes come; so that a file may be larger than the memory.
enum Cutter: Sendable {
    case lines(LineCutter)
    case objects(ObjectCutter)

    mutating func cut(_ bytes: ArraySlice<UInt8>, _ take: (Piece) -> Void) {
        switch self {
        case .lines(var cutter):
            cutter.cut(bytes, take)
            self = .lines(cutter)
        case .objects(var cutter):
            cutter.cut(bytes, take)
            self = .objects(cutter)
        }
    }

    /// The end of the file.
    /// - Returns: False where it ended in the middle: what follows is missing, and would be taken for what is gone.
    mutating func finish(_ take: (Piece) -> Void) -> Bool {
        switch self {
        case .lines(var cutter):
            cutter.finish(take)
            self = .lines(cutter)
            return true
        case .objects(let cutter): return cutter.isComplete
        }
    }
}

/// One piece of a file; nil where it was too large to be kept.
typealias Piece = ArraySlice<UInt8>?

/// Lines, without what ends them. Within quotes, where there are any, a line goes on.
struct LineCutter: Sendable {
    /// CSV's.
    var heedsQuotes = false
    var largest = 4 << 20
    private var line: [UInt8] = []
    private var isTooLarge = false
    private var isQuoted = false

    init(heedsQuotes: Bool = false, largest: Int = 4 << 20) {
        self.heedsQuotes = heedsQuotes
        self.largest = largest
    }

    mutating func cut(_ bytes: ArraySlice<UInt8>, _ take: (Piece) -> Void) {
        var start = bytes.startIndex
        for index in bytes.indices {
            let byte = bytes[index]
            if heedsQuotes, byte == UInt8(ascii: "\"") { isQuoted.toggle() }
            guard byte == UInt8(ascii: "\n") else { continue }
            // A quote that is never closed would take all the rest of the file along.
            if isQuoted, !isTooLarge, line.count + (index - start) < largest { continue }
            append(bytes[start..<index])
            emit(take)
            start = index + 1
        }
        append(bytes[start...])
    }

    mutating func finish(_ take: (Piece) -> Void) {
        if !line.isEmpty || isTooLarge { emit(take) }
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLarge else { return }
        if line.count + bytes.count > largest {
            isTooLarge = true
            line = []
        } else {
            line += bytes
        }
    }

    private mutating func emit(_ take: (Piece) -> Void) {
        // Records of a GeoJSON sequence begin with a separator of their own (RFC 8142).
        var piece = line.first == 0x1E ? line[1...] : line[...]
        if piece.last == UInt8(ascii: "\r") { piece.removeLast() }
        take(isTooLarge ? nil : piece)
        (isTooLarge, isQuoted) = (false, false)
        line.removeAll(keepingCapacity: true)
    }
}

/// The objects of a JSON document that lie so deep: the towns of `{"1": {…}, "2": {…}}` are one deep, the features of
/// `{"features": [{…}]}` two.
struct ObjectCutter: Sendable {
    let depth: Int
    var largest = 4 << 20
    private var object: [UInt8] = []
    private var isTooLarge = false
    private var level = 0
    private var isInString = false
    private var isEscaped = false
    private var hasBegun = false
    private var isBroken = false

    init(depth: Int, largest: Int = 4 << 20) {
        self.depth = depth
        self.largest = largest
    }

    /// Whether the document was closed as it was opened.
    var isComplete: Bool { hasBegun && level == 0 && !isInString && !isBroken }

    mutating func cut(_ bytes: ArraySlice<UInt8>, _ take: (Piece) -> Void) {
        var start = bytes.startIndex
        for index in bytes.indices {
            let byte = bytes[index]
            if isInString {
                if isEscaped {
                    isEscaped = false
                } else if byte == UInt8(ascii: "\\") {
                    isEscaped = true
                } else if byte == UInt8(ascii: "\"") {
                    isInString = false
                }
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                if level == depth { start = index }
                hasBegun = true
                level += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                level -= 1
                if level < 0 { (isBroken, level) = (true, 0) }
                guard level == depth else { continue }
                append(bytes[start...index])
                // An array that lies so deep is none of those asked for.
                if byte == UInt8(ascii: "}") { take(isTooLarge ? nil : object[...]) }
                object.removeAll(keepingCapacity: true)
                isTooLarge = false
            default: break
            }
        }
        if level > depth { append(bytes[start...]) }
    }

    private mutating func append(_ bytes: ArraySlice<UInt8>) {
        guard !isTooLarge else { return }
        if object.count + bytes.count > largest {
            isTooLarge = true
            object = []
        } else {
            object += bytes
        }
    }
}
