import Crypto
import WireProtocol

/// Names the version of an answer: a digest of its bytes as this person gets them, but for the ages. Those follow from `postedAt`,
/// and with them no answer would ever be the same again.
package enum AnswerVersion {
    /// What stands before each age. It cannot stand within a text, where its quotes would be escaped.
    private static let age = Array("\"age\":".utf8)

    package static func of(_ answer: [UInt8]) -> String {
        var hash = SHA256()
        answer.withUnsafeBytes { bytes in
            var start = 0
            var place = 0
            while place + age.count <= bytes.count {
                guard bytes[place] == age[0], bytes[place..<place + age.count].elementsEqual(age) else {
                    place += 1
                    continue
                }
                place += age.count
                hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[start..<place]))
                while place < bytes.count, isDigit(bytes[place]) { place += 1 }
                start = place
            }
            hash.update(bufferPointer: UnsafeRawBufferPointer(rebasing: bytes[start...]))
        }
        return HexText.text(of: hash.finalize().prefix(12))
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }
}
