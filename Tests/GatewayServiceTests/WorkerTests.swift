import Testing

@testable import GatewayService

/// What the service worker keeps is what the page without a network is made of.
@Suite struct WorkerTests {
    private func script(_ name: String) throws -> String {
        String(decoding: try #require(GatewayResources().read("Assets/\(name)"), "\(name)"), as: UTF8.self)
    }

    /// `js/chat/wire.js` and all that it imports.
    private func closure(of names: [String]) throws -> Set<String> {
        var (known, rest) = (Set(names), names)
        while let name = rest.popLast() {
            let folder = name.split(separator: "/").dropLast()
            for match in try script(name).matches(of: #/import (?:[^";]+ from )?"(\.[^"]+)"/#) {
                var path = Array(folder)
                for part in match.1.split(separator: "/") where part != "." {
                    if part == ".." { path.removeLast() } else { path.append(part) }
                }
                let found = path.joined(separator: "/")
                if known.insert(found).inserted { rest.append(found) }
            }
        }
        return known
    }

    @Test func all_that_the_page_without_a_network_needs_is_kept_and_no_more() throws {
        let shell = try script("js/worker/shell.js")
        let list = try #require(shell.firstMatch(of: #/FILES = \[([^\]]+)\]/#)?.1)
        let files = Set(list.split(separator: "\"").map(String.init).filter { $0.contains(".") })
        #expect(files.filter { $0.hasPrefix("js/") } == (try closure(of: ["js/app.js", "js/chat/offline.js"])))
        for file in files where !file.hasPrefix("vendor/") { _ = try script(file) }
    }

    @Test func the_worker_touches_no_page() throws {
        for name in try closure(of: ["js/worker/main.js"]) {
            let text = try script(name)
            #expect(!text.contains("document.") && !text.contains("window."), "\(name)")
        }
    }
}
