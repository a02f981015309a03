import Foundation
import Testing

/// The corpus that was kept of fuzzing, and each parser on what is nasty to most.
@Suite struct ReplayTests {
    private static var corpus: URL { Bundle.module.resourceURL!.appendingPathComponent("Corpus") }

    @Test(arguments: Parser.all.map(\.name))
    func every_parser_keeps_its_promises_on_its_corpus(_ name: String) throws {
        let parser = try #require(Parser.all.first { $0.name == name })
        let files = try FileManager.default.contentsOfDirectory(
            at: Self.corpus.appendingPathComponent(name), includingPropertiesForKeys: nil)
        #expect(files.count >= 3, "a corpus begins with what is right")
        for file in files {
            let bytes = Array(try Data(contentsOf: file))
            #expect(throws: Never.self, "\(file.lastPathComponent)") { try parser.check(bytes) }
            // Cut off anywhere: the shapes in which input is lost on its way.
            for end in stride(from: 0, to: bytes.count, by: max(1, bytes.count / 64)) {
                #expect(throws: Never.self, "\(file.lastPathComponent), \(end) bytes of it") {
                    try parser.check(Array(bytes[..<end]))
                }
            }
        }
    }

    @Test func no_corpus_is_without_its_parser() throws {
        let folders = try FileManager.default.contentsOfDirectory(atPath: Self.corpus.path)
        #expect(Set(folders) == Set(Parser.all.map(\.name)))
    }

    /// Without this, a check that cannot fail would not be noticed.
    @Test func a_broken_promise_is_noticed() {
        let broken = Parser(name: "broken") { bytes in try promise("it is short", bytes.count < 2) }
        #expect(throws: Broken.self) { try broken.check([1, 2, 3]) }
    }
}
