import PlainText
import WireProtocol

/// The picture of a form: one that came with it, or one that was stored before.
enum PictureField {
    /// The id of the form's picture. A file wins over what was there; ticking `removePhoto` leaves none.
    /// - Throws: `ServiceError`, whose code has words under `field.file`.
    static func stored(from form: SubmittedForm, in visit: Visit) async throws -> String? {
        if let file = form.files["file"] {
            let person = try visit.context.requirePerson()
            return try await visit.site.services.photos.store(file.bytes, for: person).id
        }
        if form["removePhoto"] == "yes" { return nil }
        return form["photo"].nonEmpty
    }

    /// The codes that stand at the field; anything else is not about the picture.
    static let codes: Set<ErrorCode> = [.unsupportedMediaType, .tooLarge, .invalid, .unavailable]
}
