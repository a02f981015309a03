import Testing

@testable import ZeroMQ

@Suite struct PackingTests {
    private func unpack(_ bytes: [UInt8]) -> [[UInt8]]? { bytes.withUnsafeBytes { Packing.unpack($0) } }

    @Test(
        arguments: [
            [], [[]], [[], [], []], [[1]], [[1, 2, 3], [], [255]], [[UInt8](repeating: 7, count: 70_000), [0]],
            [[UInt8]](repeating: [9], count: Packing.maximum),
        ] as [[[UInt8]]])
    func what_was_packed_comes_out_as_it_was(_ frames: [[UInt8]]) {
        #expect(unpack(Packing.pack(frames[...])) == frames)
    }

    @Test func a_frame_stands_behind_its_length_in_four_bytes() {
        #expect(Packing.pack([[0xAB], [], [1, 2]]) == [0, 0, 0, 1, 0xAB, 0, 0, 0, 0, 0, 0, 0, 2, 1, 2])
    }

    @Test(
        arguments: [
            [0], [0, 0, 0], [0, 0, 0, 1], [0, 0, 0, 2, 7], [0, 0, 0, 0, 0], [255, 255, 255, 255, 1], [128, 0, 0, 0],
            Packing.pack([[1, 2], [3]]).dropLast(), Packing.pack(Array(repeating: [], count: Packing.maximum + 1)[...]),
            Packing.pack([[UInt8](repeating: 0, count: BusLimits.frameSize + 1)]),
        ] as [[UInt8]])
    func anything_else_is_nothing(_ bytes: [UInt8]) { #expect(unpack(bytes) == nil) }
}
