import Foundation
import KampongClient
import WireProtocol

/// Who plays in the demo.
struct Neighbour: Hashable, Sendable {
    /// The name of the portrait, too.
    var username: String
    var name: String

    static let cast = [
        Neighbour(username: "aino", name: "Aino"), Neighbour(username: "mikko", name: "Mikko"),
        Neighbour(username: "fatima", name: "Fatima"), Neighbour(username: "otso", name: "Otso"),
        Neighbour(username: "linh", name: "Linh"), Neighbour(username: "amara", name: "Amara"),
        Neighbour(username: "helmi", name: "Helmi"), Neighbour(username: "ravi", name: "Ravi"),
    ]
}

/// The drawings, as files.
struct Album: Sendable {
    var folder: String

    /// The names of the drawings of places.
    var places: [String] {
        let files = (try? FileManager.default.contentsOfDirectory(atPath: folder + "/pictures")) ?? []
        return files.filter { $0.hasSuffix(".jpg") }.map { String($0.dropLast(4)) }.sorted()
    }

    func place(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: "\(folder)/pictures/\(name).jpg")) }
    func portrait(_ name: String) throws -> Data { try Data(contentsOf: URL(filePath: "\(folder)/people/\(name).jpg")) }
}

/// A neighbour with a session.
final class Resident: Sendable {
    let neighbour: Neighbour
    let client: KampongClient
    private let password: String
    private let album: Album

    init(_ neighbour: Neighbour, url: URL, secret: String, album: Album) {
        self.neighbour = neighbour
        client = KampongClient(baseURL: url)
        password = "\(neighbour.username) \(secret)"
        self.album = album
    }

    var name: String { neighbour.name }

    /// Signs in; the first time that makes the account, because a sign-up with the credentials of an account signs in there.
    func arrive(regions: [String]) async throws -> Person {
        let index = Neighbour.cast.firstIndex(of: neighbour) ?? 0
        let person = try await client.signUp(
            SignUp(
                email: "\(neighbour.username)@neighbours.example", password: password, name: name,
                username: neighbour.username, region: regions.isEmpty ? nil : regions[index % regions.count]))
        guard person.photo == nil else { return person }
        let portrait = try await client.uploadPhoto(album.portrait(neighbour.username), contentType: "image/jpeg")
        return try await client.changeProfile(ProfileChange(photo: .set(portrait.id)))
    }

    /// Uploads the drawings; the same picture always gets the same id, so that doing it at every start adds nothing.
    /// - Returns: Photo ids by the drawing's name.
    func uploadPictures() async throws -> [String: String] {
        var ids: [String: String] = [:]
        for name in album.places {
            ids[name] = try await client.uploadPhoto(album.place(name), contentType: "image/jpeg").id
        }
        return ids
    }
}
