import WireProtocol

/// What the fields must be that drafts of every vertical have. Each rule answers with the errors at its field.
enum OfferRules {
    static func errors(in position: Position) -> [FieldError] {
        var errors: [FieldError] = []
        if !(abs(position.latitude) <= 90) {
            errors.append(FieldError("position.latitude", "out_of_range", "Between -90 and 90 degrees."))
        }
        if !(abs(position.longitude) <= 180) {
            errors.append(FieldError("position.longitude", "out_of_range", "Between -180 and 180 degrees."))
        }
        return errors
    }

    static func errors(inPhoto photo: String?) -> [FieldError] {
        guard let photo, !HexText.isDigest(photo) else { return [] }
        return [FieldError("photo", "not_a_photo", "This is not the id of an uploaded photo.")]
    }
}
