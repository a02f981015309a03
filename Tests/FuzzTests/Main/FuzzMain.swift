import Foundation

/// libFuzzer's own loop; it calls back with each input and does not return before it is done.
@_silgen_name("LLVMFuzzerRunDriver")
private func runDriver(
    _ count: UnsafeMutablePointer<CInt>,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>>,
    _ test: @convention(c) (UnsafePointer<UInt8>?, Int) -> CInt
) -> CInt

/// `fuzz list`, or `fuzz NAME` with libFuzzer's own options; `deploy/fuzz` calls it.
@main enum FuzzMain {
    /// Unsafe, because libFuzzer's callback carries no context: set once, before its loop begins on the same thread.
    nonisolated(unsafe) private static var parser: Parser!

    static func main() {
        let arguments = CommandLine.arguments
        guard arguments.count > 1, arguments[1] != "list" else {
            return print(Parser.all.map(\.name).joined(separator: "\n"))
        }
        guard let parser = Parser.all.first(where: { $0.name == arguments[1] }) else {
            print("There is no parser \(arguments[1]).")
            exit(64)
        }
        self.parser = parser
        // The program's name and libFuzzer's options, without ours.
        var rest = ([arguments[0]] + arguments.dropFirst(2)).map { strdup($0) } + [nil]
        var count = CInt(rest.count - 1)
        let status = rest.withUnsafeMutableBufferPointer { buffer in
            var start = buffer.baseAddress!
            return runDriver(&count, &start) { data, size in
                let bytes = Array(UnsafeBufferPointer(start: data, count: size))
                do { try FuzzMain.parser.check(bytes) } catch { fatalError("a promise is broken: \(error)") }
                return 0
            }
        }
        exit(status)
    }
}
