#if canImport(FoundationEssentials)
    package import FoundationEssentials
#else
    package import Foundation
#endif

// What people are told of messages: those of one room that somebody has not read are one notice, which counts them.

extension NoticeKey {
    package static func messages(in room: RoomID) -> NoticeKey { NoticeKey(rawValue: "room/\(room)") }
}

extension MessageSent {
    package func notices(at moment: Date) -> [NoticeNews] {
        [
            .raised(
                NoticeRaised(
                    .message, .messages(in: message.room), to: .people([to]), by: message.by, Subject(message.room),
                    title: title, latest: Int64(message.number), at: message.sentAt))
        ]
    }
}

extension MessagesRead {
    package func notices(at moment: Date) -> [NoticeNews] {
        [.settled(NoticeSettled([.messages(in: room)], for: .people([by]), upTo: Int64(marks.read)))]
    }
}

extension MessageHidden {
    /// Where nobody knows who wrote it, nobody is told anything else.
    package func notices(at moment: Date) -> [NoticeNews] {
        guard let by else { return [] }
        return [.recounted(NoticeRecounted(.messages(in: room), by: by, number: Int64(number), isTold: !hidden))]
    }
}
