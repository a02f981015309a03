/// The frames of a message in one ZeroMQ frame: each behind its length, in four bytes, big-endian.
///
/// libzmq encrypts, queues and signals each frame by itself: with nine small ones a round trip takes half as long again as with one,
/// and a third as many are possible (`deploy/bench --only bus` shows it).
package enum Packing {
    /// How many frames a message may have; no message of ours has as many.
    package static let maximum = 64
    private static let width = 4

    package static func pack(_ frames: ArraySlice<[UInt8]>) -> [UInt8] {
        let size = frames.reduce(0) { $0 + width + $1.count }
        return [UInt8](unsafeUninitializedCapacity: size) { bytes, count in
            var rest = UnsafeMutableRawBufferPointer(bytes)[...]
            for frame in frames {
                UnsafeMutableRawBufferPointer(rebasing: rest).storeBytes(
                    of: UInt32(frame.count).bigEndian, as: UInt32.self)
                UnsafeMutableRawBufferPointer(rebasing: rest.dropFirst(width)).copyBytes(from: frame)
                rest = rest.dropFirst(width + frame.count)
            }
            count = size
        }
    }

    /// Nil for what `pack` would not have made.
    package static func unpack(_ bytes: UnsafeRawBufferPointer) -> [[UInt8]]? {
        var frames: [[UInt8]] = []
        frames.reserveCapacity(12)
        var place = 0
        while place < bytes.count {
            guard bytes.count - place >= width, frames.count < maximum else { return nil }
            let size = Int(UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)))
            place += width
            guard size <= min(bytes.count - place, BusLimits.frameSize) else { return nil }
            frames.append(Array(bytes[place..<place + size]))
            place += size
        }
        return frames
    }
}
