import FoundationEssentials
import Glibc

/// The file that holds the one secret: `kampong-auth-1` and 32 bytes in base64, readable to its owner only.
///
/// It belongs in the backup, apart from the database's: without it no password works any more.
struct SecretsFile {
    let path: String

    private static let mark = "kampong-auth-1"

    /// Reads the secret; makes the file on first start.
    /// - Returns: The secret, and whether the file was made just now.
    /// - Throws: `SecretsProblem`.
    func load() throws(SecretsProblem) -> (secrets: AuthSecrets, isNew: Bool) {
        if let secrets = try read() { return (secrets, false) }
        let isNew = try create()
        guard let secrets = try read() else { throw SecretsProblem("The secrets file \(path) cannot be read.") }
        return (secrets, isNew)
    }

    /// Takes back a file that `load` has just made for a database which has another.
    func remove() { unlink(path) }

    /// Nil where there is no file.
    private func read() throws(SecretsProblem) -> AuthSecrets? {
        guard access(path, F_OK) == 0 else { return nil }
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SecretsProblem("The secrets file \(path) cannot be read.")
        }
        let words = String(decoding: data, as: UTF8.self).split(whereSeparator: \.isWhitespace)
        guard words.count == 2, words[0] == Self.mark, let master = Data(base64Encoded: String(words[1])),
            master.count == AuthSecrets.length
        else { throw SecretsProblem("The secrets file \(path) is not one of Kampong's, or is damaged.") }
        return AuthSecrets(master: Array(master))
    }

    /// Writes a file of our own and links it to its name: two replicas that start at once end up with the same one, and nobody
    /// ever reads half a file.
    private func create() throws(SecretsProblem) -> Bool {
        let draft = "\(path).\(UUID().uuidString)"
        var generator = SystemRandomNumberGenerator()
        let master = (0..<AuthSecrets.length).map { _ in UInt8.random(in: 0...255, using: &generator) }
        try write("\(Self.mark) \(Data(master).base64EncodedString())\n", to: draft)
        defer { unlink(draft) }
        guard link(draft, path) != 0 else { return true }
        guard errno == EEXIST else { throw .system("The secrets file \(path) cannot be made") }
        return false
    }

    private func write(_ text: String, to draft: String) throws(SecretsProblem) {
        let file = Glibc.open(draft, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0o600)
        guard file >= 0 else { throw .system("The secrets file \(path) cannot be made") }
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count, fsync(file) == 0 else {
            throw .system("The secrets file \(path) cannot be written")
        }
    }
}

/// Why the service can't start with these secrets: a sentence for the operator.
struct SecretsProblem: Error, CustomStringConvertible {
    let description: String
    init(_ sentence: String) { description = sentence }

    fileprivate static func system(_ what: String) -> SecretsProblem {
        SecretsProblem("\(what): \(String(cString: strerror(errno))).")
    }
}
