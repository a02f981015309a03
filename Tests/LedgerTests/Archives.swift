import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

/// What those who stayed find in their archives.
struct Archives {
    let book: GuestBook

    init(of book: GuestBook) { self.book = book }

    /// - Returns: how many archives were opened, and how many records were looked for in them.
    func expectEverything() async throws -> (archives: Int, records: Int) {
        let (folder, leavers) = (try TemporaryDirectory("archives"), book.leavers)
        var wanted: [PersonID: [Guest.Record]] = [:]
        for guest in book.all {
            let life = guest.now
            guard let records = life.archive, let id = life.id, !life.erasure.isAsked else { continue }
            try await guest.client.exportArchive().write(to: URL(filePath: folder.file("\(id).zip")))
            wanted[id] = records
        }
        try unpack(in: folder.path)
        var looked = 0
        for (id, records) in wanted {
            let text = folder.read("\(id).zip.txt")
            for record in records {
                // What was between two goes with the other one, and when they are apart.
                if let other = record.other, leavers.contains(other) || book.areApart(id, other) { continue }
                looked += 1
                #expect(text.contains(record.text), "\(record) of \(id) is not in the archive")
            }
        }
        return (wanted.count, looked)
    }

    /// Python's zipfile is not ours, nor libarchive's.
    private func unpack(in folder: String) throws {
        let script = """
            import pathlib, sys, zipfile
            for path in pathlib.Path(sys.argv[1]).glob("*.zip"):
                with zipfile.ZipFile(path) as archive:
                    texts = [archive.read(name) for name in archive.namelist() if name.endswith(".json")]
                pathlib.Path(f"{path}.txt").write_bytes(b"\\n".join(texts))
            """
        let python = Process()
        python.executableURL = URL(filePath: "/usr/bin/env")
        python.arguments = ["python3", "-c", script, folder]
        try python.run()
        python.waitUntilExit()
        #expect(python.terminationStatus == 0)
    }
}
