import FoundationEssentials
import Subprocess
import WireProtocol

@testable import GatewayService

/// Pictures to upload.
enum Pictures {
    /// A picture that libvips makes, in the format of the name's ending.
    static func noise(_ width: Int, _ height: Int, _ ending: String) async throws -> [UInt8] {
        let path = "/tmp/gateway-tests-\(UUID.version7()).\(ending)"
        defer { try? FileManager.default.removeItem(atPath: path) }
        let result = try await Subprocess.run(
            .name("vips"), arguments: ["gaussnoise", path, "\(width)", "\(height)", "--mean", "128", "--sigma", "20"],
            output: .discarded, error: .string(limit: 4096))
        guard result.terminationStatus.isSuccess else { throw RawHTTPError(what: result.standardError) }
        return Array(try Data(contentsOf: URL(filePath: path)))
    }

    /// Puts an EXIF segment into a JPEG: lying on its side, taken by SecretCam at 60° 10' north.
    static func withMetadata(_ jpeg: [UInt8]) -> [UInt8] {
        func two(_ value: Int) -> [UInt8] { [UInt8(value & 255), UInt8(value >> 8)] }
        func four(_ value: Int) -> [UInt8] { two(value & 0xFFFF) + two(value >> 16) }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            two(tag) + two(type) + four(count) + value
        }
        let make = Array("SecretCam\0".utf8)
        let makeAt = 8 + 2 + 3 * 12 + 4
        let gpsAt = makeAt + make.count
        let degreesAt = gpsAt + 2 + 2 * 12 + 4
        var tiff = Array("II*\0".utf8) + four(8) + two(3) + entry(0x010F, 2, make.count, four(makeAt))
        tiff += entry(0x0112, 3, 1, four(6)) + entry(0x8825, 4, 1, four(gpsAt)) + four(0) + make
        tiff += two(2) + entry(1, 2, 2, Array("N\0\0\0".utf8)) + entry(2, 5, 3, four(degreesAt)) + four(0)
        tiff += [60, 1, 10, 1, 7, 1].flatMap(four)
        let segment = Array("Exif\0\0".utf8) + tiff
        let length = segment.count + 2
        return Array(jpeg[..<2]) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + segment + jpeg[2...]
    }

    /// A part of a PNG file.
    static func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }
        let body = Array(name.utf8) + data
        return big(UInt32(data.count)) + body + big(crc(body))
    }

    private static func crc(_ bytes: [UInt8]) -> UInt32 {
        var crc: UInt32 = 0xFFFF_FFFF
        for byte in bytes {
            crc ^= UInt32(byte)
            for _ in 0..<8 { crc = crc & 1 == 1 ? (crc >> 1) ^ 0xEDB8_8320 : crc >> 1 }
        }
        return ~crc
    }
}
