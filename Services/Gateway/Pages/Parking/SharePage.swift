import HTTPTypes
import Hummingbird
import NIOCore
import PlainText
import WireProtocol

/// `/share`: post a spot with a picture. One form without scripts; with them a camera first, then the form.
struct SharePage {
    /// What else can be shared.
    var kinds: [PageLink]
    var problem: String?
    /// What was done to the form before it is shown again.
    var said: String?
    var key: String
    var photo: String?
    /// Whether the picture was decided on before: the form was refused, and is shown again.
    var startAtForm: Bool
    var fileError: String?
    var fields: SpotForm

    static let path = "/share"

    static func register(on routes: PageRoutes) {
        routes.get("/share") { visit in
            try visit.context.requirePerson()
            // From the page of a place: a spot there.
            var values = SpotForm.Values()
            if let place = Position(written: visit.query("at")) {
                values.put(at: place)
                await values.propose(in: visit)
            }
            return try await show(SharePage(in: visit, values: values), visit)
        }
        routes.post("/share") { visit in
            try visit.context.requirePerson()
            return try await share(try await visit.form(), visit)
        }
        routes.post("/share/photo") { visit in await upload(visit) }
    }

    private static func share(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        var values = SpotForm.Values(form)
        await values.complete(in: visit)
        var page = SharePage(
            in: visit, values: values, key: Visit.key(form), photo: form["photo"].nonEmpty, again: true)
        do {
            page.photo = try await PictureField.stored(from: form, in: visit)
        } catch let error as ServiceError where PictureField.codes.contains(error.code) {
            var errors = SpotForm.draft(values, currency: visit.community.currency, in: visit.words).1
            errors.add("file", error.code.rawValue)
            return try await show(page.refused(errors, values, in: visit), visit, status: .unprocessableContent)
        }
        let (read, errors) = SpotForm.draft(values, currency: visit.community.currency, in: visit.words)
        guard var draft = read, values.name == form["name"] else {
            page = page.refused(errors, values, in: visit)
            if errors.isEmpty { page.said = visit.words["share.named"] }
            return try await show(page, visit, status: .unprocessableContent)
        }
        draft.photo = page.photo
        do {
            let spot = try await visit.command(ListingsMethods.postSpot, Nothing(), draft, of: form)
            return visit.redirect(
                to: "/parking?near=\(LocalPath.encoded(spot.position.written))", done: "posted")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            // An earlier sending did arrive: its spot is among these, with the way to change it.
            return visit.redirect(to: "/me/spots", done: "sharedBefore")
        } catch let error as ServiceError where error.code != .unauthenticated {
            let errors = FieldErrors(error, visit.words, names: SpotForm.bodyNames, topics: SpotForm.topics)
            page = page.refused(errors, values, in: visit)
            if errors.isEmpty { page.problem = visit.told(error) }
            return try await show(page, visit, status: ProblemStatus.status(of: error.code))
        }
    }

    /// The picture by itself, while the rest is still being typed: answers `{"id": …}` or `{"message": …}`.
    private static func upload(_ visit: Visit) async -> Response {
        struct Answer: Encodable {
            var id: String?
            var message: String?
        }
        func answer(_ body: Answer, _ status: HTTPResponse.Status) -> Response {
            let bytes = (try? WireJSON.encode(body)) ?? []
            return Response(
                status: status, headers: [.contentType: "application/json", .cacheControl: "no-store"],
                body: .init(byteBuffer: ByteBuffer(bytes: bytes)))
        }
        do {
            let person = try visit.context.requirePerson()
            guard let file = try await visit.form().files["file"] else {
                throw ServiceError(.invalid, "There is no picture.")
            }
            let photo = try await visit.site.services.photos.store(file.bytes, for: person)
            return answer(Answer(id: photo.id), .created)
        } catch let error as ServiceError {
            let message = visit.words.find("field.file.\(error.code.rawValue)") ?? visit.told(error)
            return answer(Answer(message: message), ProblemStatus.status(of: error.code))
        } catch {
            return answer(Answer(message: visit.words["problem.other"]), .internalServerError)
        }
    }

    private static func show(
        _ page: SharePage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let frame = PageFrame(
            title: visit.words["share.page"], tab: .share, usesMap: true, scripts: ["combobox", "post"])
        return try await visit.page("parking/share", page, frame, status: status)
    }

    private init(
        in visit: Visit, values: SpotForm.Values = .init(), key: String = Visit.newKey(), photo: String? = nil,
        again: Bool = false
    ) {
        (said, self.key, self.photo) = (nil, key, photo)
        startAtForm = again
        kinds = visit.ways(at: Self.path)
        fields = SpotForm(values, nil, in: visit)
    }

    private func refused(_ errors: FieldErrors, _ values: SpotForm.Values, in visit: Visit) -> SharePage {
        var page = self
        page.fields = SpotForm(values, errors, in: visit)
        page.fileError = errors.messages["file"]
        return page
    }
}
