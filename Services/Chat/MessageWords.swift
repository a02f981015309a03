import WireProtocol

#if canImport(FoundationEssentials)
    import FoundationEssentials
#else
    import Foundation
#endif

/// A draft of a message that was checked.
struct MessageWords: Hashable, Sendable {
    static let longest = 4_000

    let id: MessageID
    let text: String
    let photo: String?

    /// - Throws: `invalid` with everything that is wrong.
    init(_ draft: MessageDraft) throws(ChatError) {
        id = draft.id
        text = draft.text.unifiedLines.trimmed
        photo = draft.photo
        let errors = Self.errors(inText: text, isAlone: photo == nil) + Self.errors(inPhoto: photo)
        guard errors.isEmpty else { throw .invalid(errors) }
    }

    /// Whether it says what that message says.
    func isSame(as message: ChatMessage, by person: PersonID, in room: RoomID) -> Bool {
        id == message.id && room == message.room && person == message.by && text == message.text
            && photo == message.photo
    }

    private static func errors(inText text: String, isAlone: Bool) -> [FieldError] {
        if text.isEmpty { return isAlone ? [FieldError("text", "required", "Write something, or add a picture.")] : [] }
        // A character may be piled up from any number of scalars; bytes are limited as well.
        if text.count > longest || text.utf8.count > longest * 8 {
            return [FieldError("text", "too_long", "At most \(longest) characters.")]
        }
        guard !text.unicodeScalars.contains(where: \.isControl), text.isVisible else {
            return [FieldError("text", "not_allowed", "Only visible characters.")]
        }
        return []
    }

    private static func errors(inPhoto photo: String?) -> [FieldError] {
        guard let photo, photo.utf8.count != 64 || !photo.utf8.allSatisfy(\.isLowercaseHex) else { return [] }
        return [FieldError("photo", "not_a_photo", "This is not the id of an uploaded photo.")]
    }
}

extension Unicode.Scalar {
    /// Control characters but for the line feed, other line breaks, and the marks that turn the direction of what follows.
    fileprivate var isControl: Bool {
        switch properties.generalCategory {
        case .control: self != "\n" && self != "\t"
        case .lineSeparator, .paragraphSeparator: true
        default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        }
    }

    /// Whether it leaves ink.
    fileprivate var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse,
            .nonspacingMark, .enclosingMark, .surrogate:
            false
        default: !properties.isDefaultIgnorableCodePoint
        }
    }
}

extension UInt8 {
    fileprivate var isLowercaseHex: Bool { (0x30...0x39).contains(self) || (0x61...0x66).contains(self) }
}

extension String {
    fileprivate var isVisible: Bool { unicodeScalars.contains(where: \.isVisible) }

    /// Lines end as they do here, however the browser ended them.
    fileprivate var unifiedLines: String { replacing("\r\n", with: "\n").replacing("\r", with: "\n") }

    /// Without white space at either end.
    var trimmed: String {
        guard let first = firstIndex(where: { !$0.isWhitespace }), let last = lastIndex(where: { !$0.isWhitespace })
        else { return "" }
        return String(self[first...last])
    }
}
