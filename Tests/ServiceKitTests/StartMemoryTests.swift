import FoundationEssentials
import Testing

@testable import ServiceKit

@Suite struct StartMemoryTests {
    /// Kilobytes of this program's code, and of that of its libraries, that are mapped now.
    private func residentCode() throws -> Int {
        var (isCode, sum) = (false, 0)
        let text = String(decoding: try Data(contentsOf: URL(filePath: "/proc/self/smaps")), as: UTF8.self)
        for line in text.split(separator: "\n") {
            if let mapping = StartMemory.Mapping(line) { isCode = mapping.isCode }
            if isCode, line.hasPrefix("Rss:") { sum += line.split(separator: " ").compactMap { Int($0) }.first ?? 0 }
        }
        return sum
    }

    @Test func code_that_only_the_start_needed_is_handed_back() throws {
        let before = try residentCode()
        #expect(before > 1000)
        StartMemory.giveBack()
        #expect(try residentCode() < before)
        // And works as before.
        #expect(StartMemory.Mapping("7f00-8f00 r-xp 00000000 fe:00 12 /usr/bin/program") != nil)
    }

    @Test(arguments: [
        ("55d0c0-55d0d0 r-xp 00000000 fe:00 123  /opt/kampong/bin/auth", true),
        ("55d0c0-55d0d0 r--p 00000000 fe:00 123  /opt/kampong/bin/auth", false),
        ("55d0c0-55d0d0 rwxp 00000000 fe:00 123  /opt/kampong/bin/auth", false),
        ("7ffd00-7ffd10 r-xp 00000000 00:00 0    [vdso]", false),
        ("7ffd00-7ffd10 r-xp 00000000 00:00 0", false),
    ])
    func only_code_of_files_is(_ line: String, _ isCode: Bool) {
        #expect(StartMemory.Mapping(line[...])?.isCode == isCode)
    }

    @Test func what_is_no_mapping_is_none() {
        #expect(StartMemory.Mapping("Rss:                 123 kB") == nil)
    }
}
