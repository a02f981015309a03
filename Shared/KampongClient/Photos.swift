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
        func request(_ token: String?) -> URLRequest {
            var request = transport.request(.post, "v1/photos", token: token)
            request.httpBody = picture
            request.setValue(contentType, forHTTPHeaderField: "Content-Type")
            return request
        }
        let token = await vault.tokens?.accessToken
        do {
            return try await transport.send(request(token), mayRepeat: true)
        } catch let problem as Problem where problem.status == 401 && token != nil {
            return try await transport.send(request(try await vault.refresh(insteadOf: token!)), mayRepeat: true)
        }
    }

    /// Where a stored picture is shown.
    public func photoURL(_ id: String, _ size: PhotoSize) -> URL {
        baseURL.appendingPathComponent("photos/\(id)/\(size.rawValue)")
    }
}
