import DurableMessaging
import FoundationEssentials
import Messaging
import Postgres
import Synchronization
import WireProtocol

// Where nothing is heard of a service while a search begins, nothing can have passed by that search.

/// How far this service had heard of the other one before that was asked what fits searches that have begun since. Only in this process: of others, and after a
/// start, what fits is asked once more.
final class SearchesBegun: Sendable {
    private let heard = Mutex<[WantedID: StreamOffset]>([:])

    func note(_ id: WantedID, heard offset: StreamOffset) { heard.withLock { $0[id] = offset } }

    /// Each once.
    func take() -> [WantedID: StreamOffset] {
        heard.withLock { heard in
            defer { heard = [:] }
            return heard
        }
    }
}

extension WantedStore {
    /// How far this service has heard of another one; nil where some of it is to be looked at still.
    func heard(of service: PeerRole) async throws -> StreamOffset? {
        try await database.read(
            """
            SELECT epoch, position FROM offsets
            WHERE publisher = \(service.rawValue) AND NOT EXISTS (SELECT FROM looks)
            """
        ).first.map { StreamOffset(epoch: try $0.get("epoch"), position: try $0.get("position")) }
    }
}

extension WantedTransaction {
    /// Settles a search that is listed, where no more was heard of its service by then than before that was asked what fits: what the answer does not have is
    /// heard of later, and looked at when the search is listed.
    /// - Returns: false where more was heard, or it is something else by now.
    func settle(_ id: WantedID, finding query: RawJSON, of service: String, heard: StreamOffset) async throws -> Bool {
        try await transaction.query(
            """
            UPDATE wanted SET is_settled = true
            WHERE id = \(id) AND query = \(query) AND state = 'live' AND NOT is_settled AND settle_at IS NULL
                AND EXISTS (
                    SELECT FROM offsets
                    WHERE publisher = \(service) AND epoch = \(heard.epoch) AND position = \(heard.position))
            """
        ).affected > 0
    }
}
