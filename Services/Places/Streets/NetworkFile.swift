import Crypto

/// The layout of the file, and of a network in memory: little-endian, every array on a multiple of eight.
///
///     0   "KSTREETS"
///     8   UInt32 version, UInt32 byte order (0x01020304)
///     16  UInt64 length of all
///     24  32 bytes: SHA-256 of the text that it was built from
///     56  UInt64 number of arrays, then for each UInt64 where it begins, UInt64 how many bytes it has
///     …   the arrays, in the order of `ProfileNetwork`, walking before driving
///     -32 SHA-256 of all before
enum NetworkFile {
    static let magic = Array("KSTREETS".utf8)
    static let version: UInt32 = 2
    static let byteOrder: UInt32 = 0x0102_0304
    static let arraysPerProfile = 19
    static let digestLength = 32
    static let tableStart = 64
    static var arrayCount: Int { arraysPerProfile * TravelProfile.allCases.count }
    static var headLength: Int { tableStart + 16 * arrayCount }
}

/// Puts the arrays of a network one behind the other.
struct NetworkFileWriter {
    private let source: [UInt8]
    private var table: [(begin: Int, length: Int)] = []
    private var body: [UInt8] = []

    /// - Parameter source: The digest of what it is built from.
    init(source: [UInt8]) { self.source = source }

    mutating func append(_ parts: ProfileNetwork.Parts) {
        let roads = parts.roads
        append(roads.from.map { parts.ranks[Int($0)] })
        append(roads.to.map { parts.ranks[Int($0)] })
        append(roads.length)
        append(roads.forward)
        append(roads.backward)
        append(roads.shapes)
        append(parts.isMain)
        append(roads.points.flatMap { [$0.x, $0.y] })
        let grid = StreetGrid.index(of: roads)
        append(grid.keys)
        append(grid.first)
        append(grid.steps)
        for arcs in [parts.up, parts.down] {
            append(arcs.first)
            append(arcs.heads)
            append(arcs.costs)
            append(arcs.vias)
        }
    }

    private mutating func append(_ values: [some BitwiseCopyable]) {
        values.withUnsafeBytes { bytes in
            table.append((NetworkFile.headLength + body.count, bytes.count))
            body += bytes
        }
        body += Array(repeating: 0, count: (8 - body.count % 8) % 8)
    }

    consuming func finish() -> [UInt8] {
        precondition(table.count == NetworkFile.arrayCount)
        var file: [UInt8] = []
        file.reserveCapacity(NetworkFile.headLength + body.count + NetworkFile.digestLength)
        file += NetworkFile.magic
        Self.add(&file, NetworkFile.version)
        Self.add(&file, NetworkFile.byteOrder)
        Self.add(&file, UInt64(NetworkFile.headLength + body.count + NetworkFile.digestLength))
        file += source
        Self.add(&file, UInt64(table.count))
        for entry in table {
            Self.add(&file, UInt64(entry.begin))
            Self.add(&file, UInt64(entry.length))
        }
        file += body
        file += SHA256.hash(data: file)
        return file
    }

    private static func add(_ file: inout [UInt8], _ value: some FixedWidthInteger) {
        withUnsafeBytes(of: value.littleEndian) { file += $0 }
    }
}

/// Takes a network's bytes apart, and believes none of them: what stands in memory afterwards has no index that leads out of an array.
struct NetworkFileReader {
    private let bytes: UnsafeRawBufferPointer
    private var next = 0

    /// - Parameter bytes: Begin on a multiple of eight.
    init(_ bytes: UnsafeRawBufferPointer) throws(StreetNetworkError) {
        self.bytes = bytes
        guard bytes.count >= NetworkFile.magic.count, bytes.prefix(8).elementsEqual(NetworkFile.magic) else {
            throw .foreign
        }
        let shortest = NetworkFile.headLength + NetworkFile.digestLength
        guard bytes.count >= 24 else { throw .truncated(expected: UInt64(shortest), found: UInt64(bytes.count)) }
        let version = bytes.load(fromByteOffset: 8, as: UInt32.self)
        guard version == NetworkFile.version else { throw .version(version) }
        guard bytes.load(fromByteOffset: 12, as: UInt32.self) == NetworkFile.byteOrder else { throw .foreign }
        let length = bytes.load(fromByteOffset: 16, as: UInt64.self)
        guard length == UInt64(bytes.count), bytes.count >= shortest else {
            throw .truncated(expected: max(length, UInt64(shortest)), found: UInt64(bytes.count))
        }
        let content = bytes.count - NetworkFile.digestLength
        guard SHA256.hash(data: UnsafeRawBufferPointer(rebasing: bytes[..<content])).elementsEqual(bytes[content...])
        else { throw .corrupted("its checksum is another") }
        guard bytes.load(fromByteOffset: 56, as: UInt64.self) == UInt64(NetworkFile.arrayCount) else {
            throw .corrupted("it has another number of arrays")
        }
    }

    var source: [UInt8] { Array(bytes[24..<56]) }

    mutating func profile() throws(StreetNetworkError) -> ProfileNetwork {
        let network = ProfileNetwork(
            from: try array(), to: try array(), length: try array(), forward: try array(), backward: try array(),
            shapes: try array(), isMain: try array(), coordinates: try array(), cells: try array(),
            firstSteps: try array(), steps: try array(),
            up: try arcs(), down: try arcs())
        try network.check()
        return network
    }

    private mutating func arcs() throws(StreetNetworkError) -> ProfileNetwork.Arcs {
        .init(first: try array(), heads: try array(), costs: try array(), vias: try array())
    }

    private mutating func array<Value: BitwiseCopyable>() throws(StreetNetworkError) -> UnsafeBufferPointer<Value> {
        let entry = NetworkFile.tableStart + 16 * next
        next += 1
        let begin = bytes.load(fromByteOffset: entry, as: UInt64.self)
        let length = bytes.load(fromByteOffset: entry + 8, as: UInt64.self)
        let end = UInt64(bytes.count - NetworkFile.digestLength)
        guard begin % 8 == 0, begin >= UInt64(NetworkFile.headLength), begin <= end, length <= end - begin,
            length % UInt64(MemoryLayout<Value>.stride) == 0
        else { throw .corrupted("an array is not where it should be") }
        let slice = UnsafeRawBufferPointer(rebasing: bytes[Int(begin)..<Int(begin + length)])
        return slice.bindMemory(to: Value.self)
    }
}

extension ProfileNetwork {
    /// - Throws: `corrupted` where an index leads out of an array.
    fileprivate func check() throws(StreetNetworkError) {
        let points = coordinates.count / 2
        guard !up.first.isEmpty, up.first.count == down.first.count,
            [to, length, forward, backward].allSatisfy({ $0.count == roadCount }),
            isMain.count == roadCount, shapes.count == roadCount + 1, coordinates.count % 2 == 0,
            firstSteps.count == cells.count + 1
        else { throw .corrupted("arrays that belong together differ in length") }
        guard from.allSatisfy({ $0 < vertexCount }), to.allSatisfy({ $0 < vertexCount }) else {
            throw .corrupted("a road ends nowhere")
        }
        for times in [forward, backward] {
            guard times.allSatisfy({ $0 == Roads.closed || $0 < 1 << 27 }) else {
                throw .corrupted("a road has no end")
            }
        }
        guard Self.isPartition(shapes, of: points, atLeast: 2),
            Self.isPartition(firstSteps, of: steps.count, atLeast: 1),
            steps.allSatisfy({ Int($0) + 1 < points })
        else { throw .corrupted("a road has no shape") }
        for arcs in [up, down] {
            guard arcs.heads.count == arcs.costs.count, arcs.heads.count == arcs.vias.count,
                Self.isPartition(arcs.first, of: arcs.heads.count, atLeast: 0),
                arcs.costs.allSatisfy({ $0 < Cost.limit }),
                arcs.vias.allSatisfy({ $0.road ?? 0 < roadCount && $0.vertex ?? 0 < vertexCount })
            else { throw .corrupted("its hierarchy is none") }
            // Only upwards, or a search would not end.
            for vertex in 0..<vertexCount {
                guard arcs.range(vertex).allSatisfy({ vertex < arcs.heads[$0] && arcs.heads[$0] < vertexCount }) else {
                    throw .corrupted("its hierarchy is none")
                }
            }
        }
    }

    /// Whether the bounds divide `0..<count` into pieces of at least so many.
    private static func isPartition(_ bounds: UnsafeBufferPointer<UInt32>, of count: Int, atLeast least: UInt32) -> Bool
    {
        guard bounds.first == 0, bounds.last.map(Int.init) == count else { return false }
        return (1..<max(bounds.count, 1)).allSatisfy {
            bounds[$0] >= bounds[$0 - 1] && bounds[$0] - bounds[$0 - 1] >= least
        }
    }
}
