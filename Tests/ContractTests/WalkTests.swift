import Foundation
import Testing

/// What `Shared/README.md` and `Services/Listings/README.md` lead a reader to is there.
@Suite struct WalkTests {
    private static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent()

    private static func text(_ path: String) throws -> String {
        try String(contentsOf: root.appending(path: path), encoding: .utf8)
    }

    private static func isThere(_ path: String) -> Bool {
        FileManager.default.fileExists(atPath: root.appending(path: path).path())
    }

    /// A file as pages name it: from the root, or beside the one that was named before.
    private static func path(_ name: Substring, beside folder: String) -> String {
        name.hasPrefix("Services/") || name.hasPrefix("Shared/") ? String(name) : folder + name
    }

    private static func folder(of path: Substring) -> String {
        path.lastIndex(of: "/").map { String(path[...$0]) } ?? ""
    }

    @Test func every_file_of_the_walks_is_there() throws {
        let walks = try Self.text("Shared/README.md").components(separatedBy: "\n## A walk: ").dropFirst()
        #expect(walks.count == 2)
        for walk in walks {
            let rows = walk.split(separator: "\n").filter { $0.hasPrefix("| ") && $0.contains("`") }
            #expect(rows.count >= 10)
            for row in rows {
                let files = row.matches(of: /`([^`]+\.(?:swift|mustache|js))`/).map(\.output.1)
                let first = try #require(files.first, "\(row)")
                #expect(Self.isThere(String(first)), "\(first)")
                for file in files {
                    let path = Self.path(file, beside: Self.folder(of: first))
                    // What is told beside the files may name one that belongs to what was named before.
                    #expect(Self.isThere(path), "\(path)")
                }
            }
        }
    }

    @Test func every_function_that_a_walk_names_is_in_its_file() throws {
        var checked = 0
        for row in try Self.text("Shared/README.md").split(separator: "\n").filter({ $0.hasPrefix("| `") }) {
            let folder = Self.folder(of: row.dropFirst(3).prefix { $0 != "`" })
            for file in row.matches(of: /`([^`|]+\.swift)` \((`[^)|]+)\)/) {
                let path = Self.path(file.output.1, beside: folder)
                let text = try Self.text(path)
                for name in file.output.2.matches(of: /`(\w+)`/).map(\.output.1) {
                    #expect(text.contains(try Regex("func \(name)\\b")), "\(path) has no \(name)")
                    checked += 1
                }
            }
        }
        #expect(checked >= 10)
    }

    @Test func the_six_files_of_a_command_more_are_there() throws {
        let page = try Self.text("Services/Listings/README.md")
        let list = try #require(page.components(separatedBy: "## A command more").last)
        let files = list.matches(of: /(?m)^\d+\. `([^`]+)`/).map(\.output.1)
        #expect(files.count == 6)
        for file in files {
            let path = Self.path(file, beside: "Services/Listings/")
            #expect(Self.isThere(path), "\(path)")
        }
    }

    @Test func both_verticals_of_listings_have_the_files_of_the_table() throws {
        let page = try Self.text("Services/Listings/README.md")
        let table = try #require(page.components(separatedBy: "| `Spots/` | `Rentals/` |\n").last)
        let rows = table.split(separator: "\n", omittingEmptySubsequences: false).prefix { !$0.isEmpty }
            .filter { !$0.hasPrefix("|---") }
        #expect(rows.count >= 10)
        for row in rows {
            let cells = row.split(separator: "|").map(String.init)
            try #require(cells.count == 3, "\(row)")
            for (folder, cell) in [("Spots", cells[1]), ("Rentals", cells[2])] {
                let names = cell.matches(of: /`(\w+)`/).map(\.output.1)
                #expect(!names.isEmpty, "\(row)")
                for name in names {
                    let path = "Services/Listings/\(folder)/\(name).swift"
                    #expect(Self.isThere(path), "\(path)")
                }
            }
        }
    }
}
