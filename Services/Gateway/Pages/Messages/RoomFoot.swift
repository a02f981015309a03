import WireProtocol

/// What stands below a chat: the field to write in, or why there is none.
struct RoomFoot {
    /// What was typed and could not be sent.
    struct Refused {
        var form: SubmittedForm
        var photo: String?
        var message: String
        /// Whether the picture is at fault and not the words.
        var isPicture = false
    }

    var id: String
    var writable: Bool
    /// Why nobody writes here.
    var silent: String
    var silentIcon: String
    var label: String
    var key: String
    /// The id of the message that this form sends, however often.
    var message: String
    var text: String
    var photo: String?
    var problem: String?
    var invalid: Bool
    var badPicture: Bool

    init(_ room: Room, refused: Refused? = nil, in visit: Visit) {
        let words = visit.words
        id = room.id.description
        writable = room.writable
        let isClosed = room.state == .closed
        silent = words[isClosed ? "messages.closed.\(room.subject.kind.rawValue)" : "messages.silent"]
        silentIcon = isClosed ? "lock" : "block"
        label = words["messages.write", ["name": room.with.name]]
        key = refused.map { Visit.key($0.form) } ?? Visit.newKey()
        message = refused.flatMap { MessageID($0.form["id"]) }?.description ?? MessageID.new().description
        text = refused?.form["text"] ?? ""
        photo = refused?.photo
        problem = refused?.message
        invalid = refused.map { !$0.isPicture } ?? false
        badPicture = refused?.isPicture ?? false
    }
}
