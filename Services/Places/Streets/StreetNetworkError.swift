/// Why a network could not be built, read or written.
package enum StreetNetworkError: Error, Hashable, CustomStringConvertible {
    /// The text that is to be built from is not OPL.
    case malformedInput(line: Int, reason: String)
    /// More streets than the file's numbers can count.
    case tooManyStreets
    /// The file is none of ours.
    case foreign
    /// The file was made by a program with another version of the format: build it again.
    case version(UInt32)
    /// The file ends before its end, or goes on after it.
    case truncated(expected: UInt64, found: UInt64)
    /// The file's contents are not what was written.
    case corrupted(String)
    /// The operating system refused.
    case inputOutput(path: String, reason: String)

    package var description: String {
        switch self {
        case .malformedInput(let line, let reason): "line \(line) is not OPL: \(reason)"
        case .tooManyStreets: "there are more streets than a network can hold"
        case .foreign: "this is no street network"
        case .version(let version): "this street network has version \(version) of the format; build it again"
        case .truncated(let expected, let found): "this street network should have \(expected) bytes and has \(found)"
        case .corrupted(let what): "this street network is damaged: \(what)"
        case .inputOutput(let path, let reason): "\(path): \(reason)"
        }
    }
}
