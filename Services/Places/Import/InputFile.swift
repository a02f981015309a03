import Crypto
import FoundationEssentials
import Synchronization
import SystemPackage

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file that is read from its beginning to its end, a buffer at a time; the standard input as well.
final class InputFile: Sendable {
    private let descriptor: FileDescriptor
    private let isOurs: Bool
    /// What was looked at and not taken yet.
    private let ahead = Mutex<[UInt8]>([])
    private let state: State?
    private static let size = 256 << 10

    init(_ path: String) throws {
        isOurs = path != "-"
        do {
            descriptor = isOurs ? try FileDescriptor.open(path, .readOnly) : .standardInput
        } catch {
            throw ImportProblem.unreadable("\(path) cannot be read: \(error)")
        }
        state = State(of: descriptor)
    }

    /// Of a file, and of no pipe: what changes where somebody writes it.
    private struct State: Equatable {
        var size: Int
        var seconds: Int
        var nanoseconds: Int

        init?(of descriptor: FileDescriptor) {
            var status = stat()
            guard fstat(descriptor.rawValue, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
            (size, seconds) = (Int(status.st_size), status.st_mtim.tv_sec)
            nanoseconds = status.st_mtim.tv_nsec
        }
    }

    deinit { if isOurs { try? descriptor.close() } }

    /// Without taking it away.
    func beginning() throws -> [UInt8] {
        try ahead.withLock { ahead in
            if ahead.isEmpty { ahead = try read() }
            return ahead
        }
    }

    /// Empty at the end.
    func next() throws -> [UInt8] {
        let seen = ahead.withLock { ahead in
            defer { ahead = [] }
            return ahead
        }
        return seen.isEmpty ? try read() : seen
    }

    /// Of all of it; afterwards it stands at its beginning again.
    func digest() throws -> SHA256 {
        var hash = SHA256()
        ahead.withLock { $0 = [] }
        do {
            try descriptor.seek(offset: 0, from: .start)
            while case let bytes = try read(), !bytes.isEmpty { hash.update(data: bytes) }
            try descriptor.seek(offset: 0, from: .start)
        } catch let error as Errno {
            throw ImportProblem.unreadable("a pipe has no digest before it is read: \(error)")
        }
        return hash
    }

    /// - Throws: At the end of a file that was written to meanwhile, of which some was read as it was and some as it is.
    private func read() throws -> [UInt8] {
        let bytes = try [UInt8](unsafeUninitializedCapacity: Self.size) { buffer, count in
            count = try descriptor.read(into: UnsafeMutableRawBufferPointer(buffer))
        }
        if bytes.isEmpty, State(of: descriptor) != state { throw ImportProblem.changed }
        return bytes
    }
}
