import FoundationEssentials
import WireProtocol

/// One page of somebody's friends, or of questions that are open, the latest first.
struct FriendPage: Hashable, Sendable {
    var state: FriendState
    var limit: Int
    var after: MomentCursor?

    /// - Throws: `invalid`, naming the parameter.
    init(_ query: FriendQuery) throws(ServiceError) {
        state = query.state ?? .friends
        guard state != .none else {
            throw .invalid([FieldError("state", "unknown_choice", "One of: friends, waiting, asked.")])
        }
        limit = try Paging.limit(query.limit)
        after = try Paging.moment(query.cursor)
    }
}
