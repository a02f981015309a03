import Crypto
import WireProtocol

/// Names what something says at a moment, so that two who change it, or one in two windows, notice each other: a digest of what its owner can
/// say of it, and of nothing else. Compared while the row is locked.
package enum ContentVersion {
    /// Nil of what cannot be written, which is the version of nothing.
    package static func of(_ content: some Encodable) -> String? {
        (try? WireJSON.encode(content)).map { HexText.text(of: SHA256.hash(data: $0).prefix(12)) }
    }

    /// Whether a change that was made from one version may be kept where another one holds now.
    /// - Parameter seen: nil of who does not say, and changes whatever there is.
    package static func allows(_ seen: String?, _ now: String?) -> Bool { seen == nil || seen == now }
}
