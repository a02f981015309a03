#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// Where the files that belong to the gateway lie: `Templates`, `Assets`, `Strings`, `OpenAPI`.
///
/// SwiftPM puts them beside the executable. They are found by the executable's own path, not by `Bundle.module`, which would
/// look for the folder it was built in and bring all of Foundation.
package struct GatewayResources: Sendable {
    package let directory: String

    package init(directory: String) { self.directory = directory }

    /// `kampong_GatewayService.resources` beside the running executable.
    package init() {
        let executable =
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? CommandLine.arguments[0]
        let folder = executable.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(
            separator: "/")
        directory = folder + "/kampong_GatewayService.resources"
    }

    /// The path of one of the folders.
    package func path(_ folder: String) -> String { directory + "/" + folder }

    /// The bytes of a file, as `Templates/home.mustache`, or nil.
    package func read(_ file: String) -> [UInt8]? {
        FileManager.default.contents(atPath: path(file)).map { Array($0) }
    }

    /// The paths of all files under a folder, relative to it, in order.
    package func files(in folder: String) -> [String] { Self.files(under: path(folder)) }

    static func files(under directory: String) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: directory)) ?? []
        return names.sorted().flatMap { name -> [String] in
            if name.hasPrefix(".") { return [] }
            let path = directory + "/" + name
            var isDirectory = false
            guard FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory) else { return [] }
            return isDirectory ? files(under: path).map { name + "/" + $0 } : [name]
        }
    }
}
