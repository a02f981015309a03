public import Foundation
public import WireProtocol

// Everything about oneself as one archive.

extension KampongClient {
    /// Begins to gather, unless that is under way.
    public func requestExport(key: String? = nil) async throws -> DataExport {
        try await call(.post, "v1/me/export", key: key)
    }

    /// How far it is.
    public func export() async throws -> DataExport { try await call(.get, "v1/me/export") }

    /// The archive, a ZIP, when it is ready.
    public func exportArchive() async throws -> Data {
        try await transport.fetch(
            transport.request(.get, "v1/me/export/archive"), mayRepeat: true, token: await vault.tokens?.accessToken,
            renew: renew)
    }
}
