/// What fields must be that many drafts and queries have. Each rule answers with the errors at its field.
package enum FieldRules {
    /// In metres, of what is near.
    package static let usualRadius = 1_000
    package static let largestRadius = 50_000

    package static func errors(inLimit limit: Int?) -> [FieldError] {
        guard let limit, !(1...PageSize.largest).contains(limit) else { return [] }
        return [FieldError("limit", "out_of_range", "Between 1 and \(PageSize.largest).")]
    }

    package static func errors(inRadius radius: Int?) -> [FieldError] {
        guard let radius, !(1...largestRadius).contains(radius) else { return [] }
        return [FieldError("radius", "out_of_range", "Between 1 and \(largestRadius) metres.")]
    }

    /// Of a query, which has it in one parameter.
    package static func errors(inPoint point: Position?, at field: String) -> [FieldError] {
        guard let point, !point.isValid else { return [] }
        return [FieldError(field, "out_of_range", "Latitude and longitude in degrees.")]
    }

    /// Of a draft.
    package static func errors(in position: Position) -> [FieldError] {
        var errors: [FieldError] = []
        if !(abs(position.latitude) <= 90) {
            errors.append(FieldError("position.latitude", "out_of_range", "Between -90 and 90 degrees."))
        }
        if !(abs(position.longitude) <= 180) {
            errors.append(FieldError("position.longitude", "out_of_range", "Between -180 and 180 degrees."))
        }
        return errors
    }

    package static func errors(inPhoto photo: String?, at field: String = "photo") -> [FieldError] {
        guard let photo, !HexText.isDigest(photo) else { return [] }
        return [FieldError(field, "not_a_photo", "This is not the id of an uploaded photo.")]
    }
}
