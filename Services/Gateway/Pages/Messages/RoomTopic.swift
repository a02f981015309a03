import WireProtocol

/// What chats of a kind are about, as pages show it.
struct RoomTopic {
    var kind: RoomSubjectKind
    /// Shown where it has no picture.
    var icon: String
    /// Where it can be seen, before its id.
    var path: String
}

extension Visit {
    /// The verticals that chats of this kind are about; none where they are about the two themselves.
    private func talked(about kind: RoomSubjectKind) -> [any Vertical] {
        verticals.filter { $0.topic?.kind == kind }
    }

    /// Nil of the two themselves.
    func topic(of room: Room) -> RoomTopic? { talked(about: room.subject.kind).first?.topic }

    /// What stands at the head of a chat besides.
    func panel(of room: Room) async -> PagePart? {
        for vertical in talked(about: room.subject.kind) {
            if let panel = await vertical.panel(of: room, in: self) { return panel }
        }
        return nil
    }
}
