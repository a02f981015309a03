#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A file's contents in memory, beginning on a multiple of eight.
///
/// Read rather than mapped: all of it is checked at the start anyway, and a mapped file that somebody shortens takes the process with it.
final class AlignedBytes: Sendable {
    // Unsafe, because the compiler lets no pointer cross threads: nobody writes to this memory once it is made.
    nonisolated(unsafe) let contents: UnsafeRawBufferPointer

    init(copying bytes: [UInt8]) {
        let memory = Self.allocate(bytes.count)
        memory.copyBytes(from: bytes)
        contents = UnsafeRawBufferPointer(memory)
    }

    deinit { contents.deallocate() }

    private static func allocate(_ count: Int) -> UnsafeMutableRawBufferPointer {
        .allocate(byteCount: count, alignment: 64)
    }

    init(reading path: String) throws(StreetNetworkError) {
        let file = open(path, O_RDONLY | O_CLOEXEC)
        guard file >= 0 else { throw .lastFailure(path) }
        defer { close(file) }
        var status = stat()
        guard fstat(file, &status) == 0 else { throw .lastFailure(path) }
        guard status.st_mode & S_IFMT == S_IFREG else { throw .inputOutput(path: path, reason: "It is no file") }
        let memory = Self.allocate(Int(status.st_size))
        // First of all, so that it is given back where the file breaks off.
        contents = UnsafeRawBufferPointer(memory)
        var filled = 0
        while filled < memory.count {
            let got = read(file, memory.baseAddress! + filled, memory.count - filled)
            if got < 0, errno == EINTR { continue }
            guard got >= 0 else { throw .lastFailure(path) }
            guard got > 0 else { throw .truncated(expected: UInt64(memory.count), found: UInt64(filled)) }
            filled += got
        }
    }

    func write(to path: String) throws(StreetNetworkError) {
        // Two that build the same at once don't write into one file.
        let draft = "\(path).\(getpid()).part"
        let file = open(draft, O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw .lastFailure(draft) }
        var failure: StreetNetworkError?
        var written = 0
        while written < contents.count, failure == nil {
            let count = systemWrite(file, contents.baseAddress! + written, contents.count - written)
            if count > 0 { written += count } else if errno != EINTR { failure = .lastFailure(draft) }
        }
        if failure == nil, fsync(file) != 0 { failure = .lastFailure(draft) }
        close(file)
        if failure == nil, rename(draft, path) != 0 { failure = .lastFailure(path) }
        guard let failure else { return }
        unlink(draft)
        throw failure
    }
}

/// The system's `write`, which the method of that name hides.
private func systemWrite(_ file: Int32, _ bytes: UnsafeRawPointer, _ count: Int) -> Int { write(file, bytes, count) }

extension StreetNetworkError {
    fileprivate static func lastFailure(_ path: String) -> StreetNetworkError {
        .inputOutput(path: path, reason: String(cString: strerror(errno)))
    }
}
