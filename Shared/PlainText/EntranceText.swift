/// Text at the door, before anybody knows what it is for.
package enum EntranceText {
    /// Bytes of one field of a form, or of one part of it that is no file.
    package static let longest = 64 * 1024

    /// - Returns: Nil where the bytes are no UTF-8, or not `StreamSafe`, or more than a field may have.
    package static func read(_ bytes: some Collection<UInt8>, longest: Int = longest) -> String? {
        guard bytes.count <= longest, let text = String(validating: bytes, as: UTF8.self), StreamSafe.isSafe(text)
        else { return nil }
        return text
    }
}
