import Hummingbird
import PlainText
import WireProtocol

/// What forms do in chats: open one, write, put it away.
enum WritePage {
    static func register(on routes: PageRoutes) {
        routes.post("/messages") { visit in
            try visit.context.requirePerson()
            return try await open(try await visit.form(), visit)
        }
        routes.post("/messages/{id}") { visit in
            try visit.context.requirePerson()
            return try await write(try await visit.form(), visit)
        }
        routes.post("/messages/{id}/archive") { visit in
            try visit.context.requirePerson()
            let (form, id) = (try await visit.form(), try visit.id(RoomID.self))
            let isAway = form["archived"] == "yes"
            _ = try await visit.command(
                ChatMethods.archiveRoom, RoomReference(id: id), RoomArchiving(archived: isAway), of: form)
            return visit.redirect(
                to: isAway ? "/messages" : "/messages/\(id)", done: isAway ? "archived" : "unarchived")
        }
    }

    private static func open(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        guard let kind = SubjectKind(rawValue: form["kind"]), kind.uses.contains(.rooms),
            let subject = ID<Subject>(form["subject"]),
            let with = PersonID(form["with"])
        else { throw ServiceError(.malformed, "Say with whom, and about what.") }
        let draft = RoomDraft(subject: Subject(kind: kind, id: subject), with: with)
        // Without the form's key: whoever comes back to the page later asks anew, and it is the same room.
        let room = try await visit.ask(ChatMethods.openRoom, Nothing(), draft)
        return visit.redirect(to: "/messages/\(room.id)#newest")
    }

    private static func write(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let room = try visit.id(RoomID.self)
        let here = "/messages/\(room)#newest"
        var photo = form["photo"].nonEmpty
        do {
            photo = try await PictureField.stored(from: form, in: visit)
            // A form that was sent empty says nothing, as a press on Enter does with scripts.
            guard !form["text"].isEmpty || photo != nil else { return visit.redirect(to: here) }
            let draft = MessageDraft(id: MessageID(form["id"]) ?? .new(), text: form["text"], photo: photo)
            _ = try await visit.command(ChatMethods.send, RoomReference(id: room), draft, of: form)
            return visit.redirect(to: here)
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending did arrive, with other words: it is the last one there.
            return visit.redirect(to: here)
        } catch let error as ServiceError where ![.unauthenticated, .notFound].contains(error.code) {
            let isPicture =
                form.files["file"] != nil && photo == form["photo"].nonEmpty
                && PictureField.codes.contains(error.code)
            var refused = RoomFoot.Refused(form: form, photo: photo, message: "", isPicture: isPicture)
            refused.message =
                isPicture
                ? visit.words.find("field.file.\(error.code.rawValue)") ?? visit.told(error)
                : FieldErrors(error, visit.words, topics: ["text": "message"]).messages.values.first
                    ?? visit.told(error)
            return try await RoomPage.show(visit, refused: refused, status: ProblemStatus.status(of: error.code))
        }
    }
}
