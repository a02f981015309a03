/// What an arc of the hierarchy stands for: one road, or the two arcs by way of a vertex that is lower than both its ends.
struct ArcVia: BitwiseCopyable, Hashable, Sendable {
    private let bits: UInt32
    private static let vertexBit: UInt32 = 1 << 31

    static func road(_ road: Int) -> ArcVia { ArcVia(bits: UInt32(road)) }
    static func vertex(_ vertex: UInt32) -> ArcVia { ArcVia(bits: vertex | vertexBit) }

    var road: Int? { bits & Self.vertexBit == 0 ? Int(bits) : nil }
    var vertex: Int? { bits & Self.vertexBit == 0 ? nil : Int(bits & ~Self.vertexBit) }
}
