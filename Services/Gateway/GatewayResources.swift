import FoundationEssentials
import ServiceKit

/// Where the files that belong to the gateway lie: `Templates`, `Assets`, `Strings`, `OpenAPI`.
package struct GatewayResources: Sendable {
    package let directory: String

    package init(directory: String) { self.directory = directory }

    /// Those beside the running executable.
    package init() { directory = ServiceResources.directory(of: "GatewayService") }

    /// The path of one of the folders.
    package func path(_ folder: String) -> String { directory + "/" + folder }

    /// Where the sentences of notices are, which the notification service has too.
    package var notices: String { ServiceResources.directory(of: "Sentences") + "/Notices" }

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
