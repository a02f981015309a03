public import Foundation
public import WireProtocol

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension KampongClient {
    public enum PhotoSize: String, Sendable { case thumb, medium, full }

    /// Stores a picture; the same picture always gets the same id, so sending it twice does no harm.
    /// - Parameter contentType: `image/jpeg`, `image/png`, `image/webp` …; the server looks at the content itself.
    public func uploadPhoto(_ picture: Data, contentType: String) async throws -> Photo {
        var request = transport.request(.post, "v1/photos")
        request.httpBody = picture
        request.setValue(contentType, forHTTPHeaderField: "Content-Type")
        return try await transport.send(
            request, mayRepeat: true, token: await vault.tokens?.accessToken, renew: renew)
    }

    /// Where a stored picture is shown.
    public func photoURL(_ id: String, _ size: PhotoSize) -> URL {
        baseURL.appendingPathComponent("photos/\(id)/\(size.rawValue)")
    }
}
