import FoundationEssentials

/// One process of a stack, as the supervision file describes it.
package struct ProcessSpecification: Codable, Hashable, Sendable {
    /// Unique within the file; what people call it.
    package var name: String
    /// A path; relative ones start at the supervisor's working directory.
    package var executable: String
    package var arguments: [String] = []
    /// Added to the supervisor's own environment.
    package var environment: [String: String] = [:]
    package var directory: String?
    /// Both outputs are appended to it; without it they go where the supervisor's go.
    package var logFile: String?
    /// `http://…` that answers 200 when the process can work.
    package var readiness: String?
    /// `http://…` that answers 200 while the process is not stuck; one that does not for a while is killed and started again.
    package var liveness: String?

    package init(name: String, executable: String) {
        self.name = name
        self.executable = executable
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        name = try container.decode(String.self, forKey: .name)
        executable = try container.decode(String.self, forKey: .executable)
        arguments = try container.decodeIfPresent([String].self, forKey: .arguments) ?? []
        environment = try container.decodeIfPresent([String: String].self, forKey: .environment) ?? [:]
        directory = try container.decodeIfPresent(String.self, forKey: .directory)
        logFile = try container.decodeIfPresent(String.self, forKey: .logFile)
        readiness = try container.decodeIfPresent(String.self, forKey: .readiness)
        liveness = try container.decodeIfPresent(String.self, forKey: .liveness)
    }

    /// Reads a supervision file: a JSON list of processes.
    /// - Throws: `SupervisionFileError`, a sentence for the operator.
    package static func read(_ path: String) throws(SupervisionFileError) -> [ProcessSpecification] {
        guard let data = FileManager.default.contents(atPath: path) else {
            throw SupervisionFileError("The file \(path) cannot be read.")
        }
        let list: [ProcessSpecification]
        do {
            list = try JSONDecoder().decode([ProcessSpecification].self, from: data)
        } catch DecodingError.keyNotFound(let key, let context) {
            let index = context.codingPath.first?.intValue.map { " number \($0 + 1)" } ?? ""
            throw SupervisionFileError("In \(path), process\(index) has no \(key.stringValue).")
        } catch {
            throw SupervisionFileError("The file \(path) is not a JSON list of processes.")
        }
        try check(list, path)
        return list
    }

    private static func check(_ list: [ProcessSpecification], _ path: String) throws(SupervisionFileError) {
        guard !list.isEmpty else { throw SupervisionFileError("The file \(path) names no process.") }
        var names: Set<String> = []
        for process in list {
            guard names.insert(process.name).inserted else {
                throw SupervisionFileError("In \(path), the name \(process.name) appears twice.")
            }
            for url in [process.readiness, process.liveness].compactMap(\.self) where HTTPProbe.Target(url) == nil {
                throw SupervisionFileError("In \(path), \(process.name) has \(url), which is not an http:// address.")
            }
        }
    }
}

/// What is wrong with a supervision file.
package struct SupervisionFileError: Error, Hashable, CustomStringConvertible {
    package var description: String
    init(_ sentence: String) { description = sentence }
}
