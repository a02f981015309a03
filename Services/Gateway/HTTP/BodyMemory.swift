import Hummingbird
import Synchronization
import WireProtocol

/// The memory that the bodies of all requests under way may take together.
///
/// Each by itself is limited, but a hundred pictures at once would be a gigabyte. Counted is what has come, not what was announced,
/// so that promising much takes nothing from anybody; and one person cannot take all of it. Any task may call it.
package final class BodyMemory: Sendable {
    package static let standard = 128 * 1024 * 1024

    private struct State {
        var used = 0
        var byOwner: [RateLimits.Key: Int] = [:]
    }

    private let capacity: Int
    private let share: Int
    private let state = Mutex(State())
    /// A part of it: what strangers' bodies have beyond a form's usual size (a picture, when joining) must leave room for the rest.
    fileprivate let pictures: BodyMemory?

    /// - Parameters:
    ///   - capacity: bytes at once in all; a quarter of them for what strangers send beyond a usual form.
    ///   - share: bytes at once by one person, or one address where nobody is signed in.
    package convenience init(capacity: Int = BodyMemory.standard, share: Int = BodyMemory.standard / 2) {
        self.init(
            capacity: capacity, share: share,
            pictures: BodyMemory(capacity: capacity / 4, share: share / 4, pictures: nil))
    }

    private init(capacity: Int, share: Int, pictures: BodyMemory?) {
        self.capacity = capacity
        self.share = share
        self.pictures = pictures
    }

    package var used: Int { state.withLock { $0.used } }
    package var usedByPictures: Int { pictures?.used ?? 0 }

    fileprivate func take(_ count: Int, for owner: RateLimits.Key) -> Bool {
        state.withLock { state in
            let own = state.byOwner[owner, default: 0] + count
            guard state.used + count <= capacity, own <= share else { return false }
            state.used += count
            state.byOwner[owner] = own
            return true
        }
    }

    fileprivate func giveBack(_ count: Int, of owner: RateLimits.Key) {
        state.withLock { state in
            state.used -= count
            let own = state.byOwner[owner, default: 0] - count
            state.byOwner[owner] = own > 0 ? own : nil
        }
    }
}

/// What one request's body takes of it. Used by one task at a time: the one that answers the request.
package final class BodyLease: Sendable {
    private let memory: BodyMemory
    private let owner: RateLimits.Key
    private let taken = Mutex((all: 0, picture: 0))

    init(of memory: BodyMemory, for owner: RateLimits.Key) {
        self.memory = memory
        self.owner = owner
    }

    /// - Throws: `unavailable` where there is no more at the moment.
    func grow(by count: Int) throws(ServiceError) {
        guard memory.take(count, for: owner) else { throw Self.full }
        let before = taken.withLock { taken in
            defer { taken.all += count }
            return taken.all
        }
        guard case .address = owner, let pictures = memory.pictures else { return }
        let beyond = max(0, before + count - BodyLimits.json) - max(0, before - BodyLimits.json)
        guard beyond > 0 else { return }
        guard pictures.take(beyond, for: owner) else { throw Self.full }
        taken.withLock { $0.picture += beyond }
    }

    private static let full = ServiceError(
        .unavailable, "Much is being sent at this moment. Try again soon.", retryAfter: 5)

    deinit {
        let (all, picture) = taken.withLock { $0 }
        if all > 0 { memory.giveBack(all, of: owner) }
        if picture > 0 { memory.pictures?.giveBack(picture, of: owner) }
    }
}
