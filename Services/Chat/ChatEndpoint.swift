import DurableMessaging
import Messaging
import People
import WireProtocol

/// Request → use case → reply; error → stable code.
struct ChatEndpoint: Sendable {
    let chat: ChatUseCases

    func answer(on router: inout RequestRouter) {
        router.on(ChatMethods.rooms, version: AnswerVersion.of) { query, _, context in
            try await chat.rooms(query, for: context.caller)
        }
        router.on(ChatMethods.room, version: AnswerVersion.of) { room, _, context in
            try await chat.room(room.id, for: context.caller)
        }
        router.on(ChatMethods.unread, version: AnswerVersion.of) { _, _, context in
            try await chat.unread(for: context.caller)
        }
        router.on(ChatMethods.messages, version: AnswerVersion.of) { query, _, context in
            try await chat.messages(query, for: context.caller)
        }
        router.on(ChatMethods.openRoom) { _, draft, context in try await chat.open(draft, context) }
        router.on(ChatMethods.send) { room, draft, context in try await chat.send(draft, in: room.id, context) }
        router.on(ChatMethods.markRead) { room, mark, context in
            try await chat.read(to: mark.number, in: room.id, context)
            return Nothing()
        }
        router.on(ChatMethods.markDelivered) { room, mark, context in
            try await chat.receive(to: mark.number, in: room.id, context)
            return Nothing()
        }
        router.on(ChatMethods.archiveRoom) { room, archiving, context in
            try await chat.archive(archiving.archived, room.id, context)
            return Nothing()
        }
        router.on(ChatMethods.typing) { room, _, context in
            try await chat.type(in: room.id, context)
            return Nothing()
        }
        router.on(ChatMethods.message, version: AnswerVersion.of) { message, _, context in
            try await chat.message(message.id, for: context.caller)
        }
        router.on(ChatEvents.stream.methods.subject) { query, _, _ in try await chat.subject(query) }
        router.on(ChatMethods.reported) { message, _, _ in try await chat.reported(message.id) }
        let own = chat.ownRecords
        router.on(ChatEvents.stream.methods.personalData) { query, _, _ in try await own.page(query) }
        router.on(ChatEvents.stream.methods.photosInUse) { _, asked, _ in try await chat.photosInUse(asked) }
        router.on(ChatMethods.photosToErase) { _, _, _ in try await chat.photosToErase() }
        router.on(ChatMethods.photosErased) { _, photos, context in
            try await chat.photosErased(photos, context)
            return Nothing()
        }
    }
}

/// Gives a refusal of the domain its code and its sentence.
extension ChatError: Refusal {
    var serviceError: ServiceError {
        switch self {
        case .invalid(let errors): .invalid(errors)
        case .notFound: .notFound("room")
        case .closed: ServiceError(.wrongState, "What this is about is over.")
        case .silent: ServiceError(.wrongState, "You can't write here at the moment.")
        case .anotherMessage:
            ServiceError(.idempotencyMismatch, "Another message has this id already.")
        case .tooManyRooms(let limit):
            ServiceError(
                .tooManyRequests, "You have begun \(limit) conversations within a day. Try again later.",
                retryAfter: 3600)
        case .tooManyMessages(let limit):
            ServiceError(
                .tooManyRequests, "You have sent \(limit) messages within a minute. Wait a moment.", retryAfter: 15)
        }
    }
}
