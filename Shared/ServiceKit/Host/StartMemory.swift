#if canImport(Glibc)
    import Glibc
#endif

/// What only the start of a process needed of its memory.
///
/// Starting touches almost all of a program once: the loader, the runtime that looks through every type there is, what is wired together. Those pages
/// of code stay mapped for as long as the process lives, which is two thirds of what an idle service has resident, and nobody asks for most of
/// them again. They belong to the file and are not changed, so that whichever is needed comes back from there, sixteen at a time.
package enum StartMemory {
    /// After that the start is over: connections stand, what was missed is pulled.
    package static let rest = Duration.seconds(15)

    /// Hands the pages of code back. Takes a millisecond or two, once.
    package static func giveBack() {
        #if canImport(Glibc)
            for code in mapped() where code.isCode {
                guard let start = UnsafeMutableRawPointer(bitPattern: code.range.lowerBound) else { continue }
                // Where that is refused they stay, as they would have.
                madvise(start, Int(code.range.count), MADV_DONTNEED)
            }
        #endif
    }

    /// A part of the address space, as a line of `/proc/self/maps` has it (proc(5)).
    struct Mapping {
        var range: Range<UInt>
        /// Of a file, executable, and never to be written to.
        var isCode: Bool

        init?(_ line: Substring) {
            let fields = line.split(separator: " ", maxSplits: 5)
            guard fields.count >= 5 else { return nil }
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard bounds.count == 2, bounds[0] < bounds[1] else { return nil }
            range = bounds[0]..<bounds[1]
            isCode = fields[1] == "r-xp" && fields.last?.contains("/") == true
        }
    }

    #if canImport(Glibc)
        private static func mapped() -> [Mapping] {
            guard let file = fopen("/proc/self/maps", "r") else { return [] }
            defer { fclose(file) }
            var mappings: [Mapping] = []
            var line = [CChar](repeating: 0, count: 8192)
            while fgets(&line, Int32(line.count), file) != nil {
                let text = line.withUnsafeBytes { bytes in
                    String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
                }
                if let mapping = Mapping(text[...]) { mappings.append(mapping) }
            }
            return mappings
        }
    #endif
}
