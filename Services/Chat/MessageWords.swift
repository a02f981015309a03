import FoundationEssentials
import PlainText
import WireProtocol

/// A draft of a message that was checked.
struct MessageWords: Hashable, Sendable {
    static let longest = 4_000

    let id: MessageID
    let text: String
    let photo: String?

    /// - Throws: `invalid` with everything that is wrong.
    init(_ draft: MessageDraft) throws(ChatError) {
        var errors: [FieldError] = []
        id = draft.id
        photo = draft.photo
        let required = photo == nil ? "Write something, or add a picture." : nil
        text = TextRule.lines(Self.longest).read(draft.text, at: "text", &errors, required: required) ?? ""
        errors += FieldRules.errors(inPhoto: photo)
        guard errors.isEmpty else { throw .invalid(errors) }
    }

    /// Whether it says what that message says.
    func isSame(as message: ChatMessage, by person: PersonID, in room: RoomID) -> Bool {
        id == message.id && room == message.room && person == message.by && text == message.text
            && photo == message.photo
    }
}
