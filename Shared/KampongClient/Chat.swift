import Foundation
public import WireProtocol

// Rooms and messages. What happens comes by ``KampongClient/events(after:in:)`` as `message`, `read`, `typing` and `roomChanged`.

extension KampongClient {
    /// One's own rooms, the one with the newest message first.
    /// - Parameter q: found in the other's name, the subject's title or a message; looks on all shelves where none is named.
    public func rooms(
        on shelf: RoomShelf? = nil, q: String? = nil, limit: Int? = nil, cursor: String? = nil
    ) async throws -> Page<Room> {
        try await call(
            .get, "v1/rooms",
            query: Self.query([
                ("shelf", shelf?.rawValue), ("q", q), ("limit", limit.map(String.init)), ("cursor", cursor),
            ]))
    }

    /// How many rooms have something new.
    public func unreadRooms() async throws -> UnreadCount { try await call(.get, "v1/rooms/unread") }

    public func room(_ id: RoomID) async throws -> Room { try await call(.get, "v1/rooms/\(id)") }

    /// The one room of this subject and these two people, made where there is none yet.
    public func openRoom(about subject: Subject, with person: PersonID, key: String? = nil) async throws -> Room {
        try await call(.post, "v1/rooms", body: RoomDraft(subject: subject, with: person), key: key)
    }

    /// In the order of their numbers: the newest, or those next to a number on either side. The answer says by which `before` or `after` to go on, and
    /// nil where there is nothing on that side.
    public func messages(
        in room: RoomID, before: Int? = nil, after: Int? = nil, limit: Int? = nil
    ) async throws -> MessageList {
        try await call(
            .get, "v1/rooms/\(room)/messages",
            query: Self.query([
                ("before", before.map(String.init)), ("after", after.map(String.init)),
                ("limit", limit.map(String.init)),
            ]))
    }

    /// Writes a message. Keep the draft until this has answered: the same id again is the same message, however late.
    /// - Throws: `wrong_state` where nobody may write in this room just now.
    public func send(_ draft: MessageDraft, to room: RoomID, key: String? = nil) async throws -> Message {
        try await call(.post, "v1/rooms/\(room)/messages", body: draft, key: key)
    }

    public func markRead(_ room: RoomID, upTo number: Int, key: String? = nil) async throws {
        let _: Nothing = try await call(.put, "v1/rooms/\(room)/read", body: MessageMark(number: number), key: key)
    }

    public func markDelivered(_ room: RoomID, upTo number: Int, key: String? = nil) async throws {
        let _: Nothing = try await call(
            .put, "v1/rooms/\(room)/delivered", body: MessageMark(number: number), key: key)
    }

    /// Puts a room away, or takes it back.
    public func archive(_ room: RoomID, _ archived: Bool = true, key: String? = nil) async throws {
        let _: Nothing = try await call(
            .put, "v1/rooms/\(room)/archived", body: RoomArchiving(archived: archived), key: key)
    }

    /// Says that one is writing just now. Once every few seconds is enough.
    public func showTyping(in room: RoomID, key: String? = nil) async throws {
        let _: Nothing = try await call(.post, "v1/rooms/\(room)/typing", key: key)
    }
}
