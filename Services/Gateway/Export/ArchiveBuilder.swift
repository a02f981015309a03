import FoundationEssentials
import HTTPTypes
import Hummingbird
import NIOCore
import Subprocess
import SystemPackage
import WireProtocol

/// Makes the archive of somebody's data from what auth has gathered, with their pictures: `<service>/<kind>.json` and `photos/<id>.webp`, in
/// a ZIP that libarchive writes.
package struct ArchiveBuilder: Sendable {
    private let backend: any Backend
    private let photos: PhotoStore
    private let directory: String
    private let queue = PhotoQueue(atOnce: 2, waiting: 8)

    /// - Parameter directory: where archives lie while they are made and sent; what a crash left there is removed.
    package init(backend: any Backend, photos: PhotoStore, directory: String) {
        self.backend = backend
        self.photos = photos
        self.directory = directory
        let manager = FileManager.default
        for name in (try? manager.contentsOfDirectory(atPath: directory)) ?? [] {
            let path = directory + "/" + name
            let made = (try? manager.attributesOfItem(atPath: path)[.modificationDate]) as? Date
            // Other replicas may be sending theirs.
            if let made, made.timeIntervalSinceNow < -86_400 { try? manager.removeItem(atPath: path) }
        }
    }

    /// `GET /v1/me/export/archive`.
    func respond(_ context: GatewayContext) async throws -> Response {
        let person = try context.requirePerson()
        let archive = try await queue.enter(for: person) { try await build(for: context.caller) }
        let size = try archive.size()
        return Response(
            status: .ok,
            headers: [
                .contentType: "application/zip", .cacheControl: "no-store", .contentLength: "\(size)",
                .contentDisposition: "attachment; filename=\"my-data.zip\"",
            ],
            body: .init(contentLength: size) { writer in
                let reader = try archive.reader()
                while let chunk = try reader.next() { try await writer.write(chunk) }
                try await writer.finish(nil)
            })
    }

    private func build(for caller: Caller) async throws -> ArchiveFile {
        let archive = try ArchiveFile(in: directory)
        var files = ArchiveFiles(in: archive.content)
        // Also where auth has no further page: whoever asks anew replaces what is being read.
        defer { files.close() }
        var number: Int? = 0
        while let wanted = number {
            let page = try await backend.call(
                AuthMethods.exportPage, DataExportPageQuery(number: wanted), Nothing(), as: caller, id: .version7(),
                deadline: Date(timeIntervalSinceNow: 5))
            for record in page.records {
                try files.add(record, of: page.service)
                for photo in record.photos { try files.add(photo: photo, from: photos.path(of: photo, .full)) }
            }
            number = page.next
        }
        try files.finish()
        try await archive.pack()
        return archive
    }
}

/// NIO has a protocol of this name.
private typealias File = SystemPackage.FileDescriptor

/// The files of an archive while it is made: each a JSON array, with one record a line.
private struct ArchiveFiles {
    private let folder: String
    private var open: [String: File] = [:]
    private var known: Set<String> = []

    init(in folder: String) { self.folder = folder }

    mutating func add(_ record: PersonalRecord, of service: String) throws {
        guard Self.isPlain(service), Self.isPlain(record.kind) else {
            throw ServiceError(.internalError, "A record of a kind that is no name of a file.")
        }
        let name = "\(service)/\(record.kind).json"
        let line: String
        if open[name] == nil {
            try FileManager.default.createDirectory(
                atPath: "\(folder)/\(service)", withIntermediateDirectories: true)
            open[name] = try File.open(
                FilePath("\(folder)/\(name)"), .writeOnly, options: [.create, .truncate], permissions: .ownerReadWrite)
            line = "[\n" + record.json
        } else {
            line = ",\n" + record.json
        }
        _ = try open[name]?.writeAll(line.utf8)
    }

    /// - Parameter path: nil where there is no such picture any more.
    mutating func add(photo: String, from path: String?) throws {
        guard let path, known.insert(photo).inserted else { return }
        try FileManager.default.createDirectory(atPath: folder + "/photos", withIntermediateDirectories: true)
        try FileManager.default.copyItem(atPath: path, toPath: "\(folder)/photos/\(photo).webp")
    }

    mutating func finish() throws {
        for (name, file) in open {
            _ = try file.writeAll("\n]\n".utf8)
            open[name] = nil
            try file.close()
        }
    }

    /// What is open still, where it was not finished.
    mutating func close() {
        for file in open.values { try? file.close() }
        open = [:]
    }

    private static func isPlain(_ name: String) -> Bool {
        !name.isEmpty && name.utf8.allSatisfy { (0x61...0x7A).contains($0) || $0 == 0x2D }
    }
}

/// An archive on its way; its files go with the last one who knows it.
private final class ArchiveFile: Sendable {
    private let folder: String
    var content: String { folder + "/content" }
    private var path: String { folder + "/my-data.zip" }

    init(in directory: String) throws {
        folder = "\(directory)/\(UUID.version7())"
        try FileManager.default.createDirectory(
            atPath: folder + "/content", withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func pack() async throws {
        let names = try FileManager.default.contentsOfDirectory(atPath: content).sorted()
        let result = try await Subprocess.run(
            .name("bsdtar"), arguments: .init(["--format", "zip", "-cf", path, "-C", content] + names),
            environment: .custom(["PATH": "/usr/local/bin:/usr/bin:/bin", "LC_ALL": "C.UTF-8"]),
            output: .discarded, error: .discarded)
        guard result.terminationStatus.isSuccess else {
            throw ServiceError(.internalError, "The archive could not be written.")
        }
    }

    func size() throws -> Int {
        let size = try FileManager.default.attributesOfItem(atPath: path)[.size]
        return (size as? UInt64).map { Int($0) } ?? (size as? Int) ?? 0
    }

    func reader() throws -> ArchiveReader { ArchiveReader(file: try File.open(FilePath(path), .readOnly), of: self) }
}

/// Reads an archive bit by bit, and keeps it until it is read.
private final class ArchiveReader: Sendable {
    private let file: File
    private let archive: ArchiveFile

    init(file: File, of archive: ArchiveFile) {
        self.file = file
        self.archive = archive
    }

    deinit { try? file.close() }

    func next() throws -> ByteBuffer? {
        var buffer = ByteBufferAllocator().buffer(capacity: 64 * 1024)
        let count = try buffer.writeWithUnsafeMutableBytes(minimumWritableBytes: 64 * 1024) { try file.read(into: $0) }
        return count > 0 ? buffer : nil
    }
}
