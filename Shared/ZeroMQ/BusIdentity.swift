import Glibc

/// Who this process is on the bus: its role, its key pair, and where the public keys of its peers are found.
package struct BusIdentity: Sendable {
    /// The role's name, which is the stem of the public key's file.
    package let role: String
    package let keys: CurveKeyPair
    /// A directory of files `<role>.pub`; read anew when an unknown key knocks.
    package let publicKeys: String

    package init(role: String, keys: CurveKeyPair, publicKeys: String) {
        self.role = role
        self.keys = keys
        self.publicKeys = publicKeys
    }

    /// Reads the secret key of `role`.
    /// - Throws: `BusKeyError` when a file is missing or is no key, or others may read the secret, or it does not belong to
    ///   `<publicKeys>/<role>.pub`.
    package static func load(secretKey path: String, publicKeys: String, role: String) throws -> BusIdentity {
        guard let text = readFile(path) else { throw BusKeyError("The secret key \(path) cannot be read.") }
        guard let keys = CurveKey(text).flatMap(CurveKeyPair.init(secretKey:)) else {
            throw BusKeyError("The file \(path) is not a secret key of the bus (40 characters of Z85).")
        }
        var status = stat()
        guard stat(path, &status) == 0, status.st_mode & 0o007 == 0 else {
            throw BusKeyError("Others may read the secret key \(path); make it private (chmod 600).")
        }
        let directory = try PeerDirectory.read(publicKeys)
        guard directory.keys[role]?.contains(keys.publicKey) == true else {
            throw BusKeyError("The secret key \(path) does not belong to the public key \(publicKeys)/\(role).pub.")
        }
        return BusIdentity(role: role, keys: keys, publicKeys: publicKeys)
    }
}

/// What is wrong with a key file: one sentence for the operator, naming the file, never its content.
package struct BusKeyError: Error, CustomStringConvertible {
    package let description: String
    package init(_ description: String) { self.description = description }
}

/// Makes key pairs in files.
package enum BusKeys {
    /// Makes `<directory>/secret/<role>.key` (mode 0600) and `<directory>/public/<role>.pub`, each unless it exists.
    ///
    /// A public key that is missing beside an existing secret one is derived from it. Safe against a second process that does
    /// the same: the first file wins.
    /// - Returns: the identity that those files give.
    @discardableResult
    package static func create(role: String, in directory: String) throws -> BusIdentity {
        let (secrets, publics) = ("\(directory)/secret", "\(directory)/public")
        try makeDirectory(directory, mode: 0o755)
        try makeDirectory(secrets, mode: 0o700)
        try makeDirectory(publics, mode: 0o755)
        let secret = "\(secrets)/\(role).key"
        try write(CurveKeyPair.generate().secretKey.text, to: secret, mode: 0o600)
        guard let keys = readFile(secret).flatMap({ CurveKey($0) }).flatMap(CurveKeyPair.init(secretKey:)) else {
            throw BusKeyError("The file \(secret) is not a secret key of the bus (40 characters of Z85).")
        }
        try write(keys.publicKey.text, to: "\(publics)/\(role).pub", mode: 0o644)
        return try .load(secretKey: secret, publicKeys: publics, role: role)
    }

    private static func makeDirectory(_ path: String, mode: mode_t) throws {
        guard mkdir(path, mode) == 0 || errno == EEXIST else {
            throw BusKeyError("The directory \(path) cannot be made (errno \(errno)).")
        }
    }

    /// Writes whole or not at all, and never over a file that is there: written aside, then linked.
    private static func write(_ text: String, to path: String, mode: mode_t) throws {
        var template = Array("\(path).XXXXXX".utf8CString)
        let fd = mkstemp(&template)
        guard fd >= 0 else { throw BusKeyError("The file \(path) cannot be written (errno \(errno)).") }
        let temporary = String(decoding: template.dropLast().map(UInt8.init(bitPattern:)), as: UTF8.self)
        defer { unlink(temporary) }
        let line = text + "\n"
        let written = fchmod(fd, mode) == 0 && Glibc.write(fd, line, line.utf8.count) == line.utf8.count
        guard fsync(fd) == 0, close(fd) == 0, written, link(temporary, path) == 0 || errno == EEXIST else {
            throw BusKeyError("The file \(path) cannot be written (errno \(errno)).")
        }
    }
}

/// The public keys of a directory, by role.
struct PeerDirectory: Sendable {
    /// A role has more than one key while its keys are being changed: `<role>.pub` and `<role>.<anything>.pub`.
    private(set) var keys: [String: Set<CurveKey>] = [:]
    private(set) var roles: [CurveKey: String] = [:]

    /// Reads the directory; what is not a key is left out. Blocks.
    /// - Throws: `BusKeyError` where the process cannot read at all just now: that is not the same as a key that is gone.
    static func read(_ path: String) throws(BusKeyError) -> PeerDirectory {
        var result = PeerDirectory()
        guard let handle = opendir(path) else {
            throw BusKeyError("The directory of public keys \(path) cannot be read (errno \(errno)).")
        }
        defer { closedir(handle) }
        while let entry = readdir(handle) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) {
                $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard name.hasSuffix(".pub"), let role = name.split(separator: ".").first else { continue }
            errno = 0
            let text = readFile("\(path)/\(name)")
            // Out of descriptors or memory, as in a flood of connections: nobody's key was withdrawn by that.
            if text == nil, [EMFILE, ENFILE, ENOMEM, EIO].contains(errno) {
                throw BusKeyError("The public key \(path)/\(name) cannot be read (errno \(errno)).")
            }
            guard let key = text.flatMap({ CurveKey($0) }) else { continue }
            result.keys[String(role), default: []].insert(key)
            result.roles[key] = String(role)
        }
        return result
    }

    /// The key by which a client expects a server of `role` to prove itself: that of `<role>.pub`.
    static func serverKey(of role: String, in path: String) -> CurveKey? {
        readFile("\(path)/\(role).pub").flatMap { CurveKey($0) }
    }
}

/// The text of a small file, or nil. Blocks.
private func readFile(_ path: String) -> String? {
    guard let file = fopen(path, "re") else { return nil }
    defer { fclose(file) }
    var bytes = [UInt8](repeating: 0, count: 256)
    let count = fread(&bytes, 1, bytes.count, file)
    return String(validating: bytes.prefix(count), as: UTF8.self)
}
