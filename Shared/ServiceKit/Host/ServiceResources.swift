import FoundationEssentials

/// Where the files that belong to a service lie.
package enum ServiceResources {
    /// `kampong_<library>.resources` beside the running executable, where SwiftPM puts them.
    ///
    /// They are found by the executable's own path, not by `Bundle.module`, which would look for the folder it was built in and
    /// bring all of Foundation.
    package static func directory(of library: String) -> String {
        let executable =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let folder = executable.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        return "\(folder)/kampong_\(library).resources"
    }
}
