import CZlib

/// gzip (RFC 1952) of whole bodies by zlib.
package enum Gzip {
    /// - Parameter level: 1 (fast) to 9 (small); answers are made small once and quickly, files well and at start.
    /// - Returns: nil where zlib has no memory to work with.
    package static func compress(_ bytes: [UInt8], level: Int32 = 5) -> [UInt8]? {
        var stream = z_stream()
        let gzipWindow: Int32 = 15 + 16
        let opened = deflateInit2_(
            &stream, level, Z_DEFLATED, gzipWindow, 8, Z_DEFAULT_STRATEGY, ZLIB_VERSION,
            Int32(MemoryLayout<z_stream>.size))
        guard opened == Z_OK else { return nil }
        defer { deflateEnd(&stream) }
        // deflateBound says how long the result can be, so that one call does all.
        let bound = Int(deflateBound(&stream, UInt(bytes.count)))
        var input = bytes
        return input.withUnsafeMutableBufferPointer { source -> [UInt8]? in
            var finished = false
            let result = [UInt8](unsafeUninitializedCapacity: bound) { target, count in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(bound)
                finished = deflate(&stream, Z_FINISH) == Z_STREAM_END
                count = finished ? bound - Int(stream.avail_out) : 0
            }
            return finished ? result : nil
        }
    }

    /// What was compressed, or nil where it breaks off, is none, or would be more than `most` bytes.
    package static func decompress(_ bytes: [UInt8], most: Int = 64 << 20) -> [UInt8]? {
        // The last four bytes of one member say how long its content is.
        guard bytes.count >= 18 else { return nil }
        let length = bytes.suffix(4).reversed().reduce(0) { $0 << 8 | Int($1) }
        guard length <= most else { return nil }
        var stream = z_stream()
        guard inflateInit2_(&stream, 15 + 16, ZLIB_VERSION, Int32(MemoryLayout<z_stream>.size)) == Z_OK else {
            return nil
        }
        defer { inflateEnd(&stream) }
        var input = bytes
        return input.withUnsafeMutableBufferPointer { source -> [UInt8]? in
            var finished = false
            let result = [UInt8](unsafeUninitializedCapacity: max(length, 1)) { target, count in
                stream.next_in = source.baseAddress
                stream.avail_in = UInt32(source.count)
                stream.next_out = target.baseAddress
                stream.avail_out = UInt32(max(length, 1))
                finished = inflate(&stream, Z_FINISH) == Z_STREAM_END
                count = finished ? length : 0
            }
            return finished && Int(stream.total_out) == length ? result : nil
        }
    }
}
