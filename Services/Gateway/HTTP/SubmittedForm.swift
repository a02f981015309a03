package import Hummingbird
import PlainText
package import WireProtocol

/// What a page's form sent: `application/x-www-form-urlencoded`, or `multipart/form-data` where it carries a file.
///
/// Reading it is also where the CSRF token is checked, so that no handler can forget to.
package struct SubmittedForm: Sendable {
    package private(set) var fields: [String: String] = [:]
    package private(set) var files: [String: UploadedFile] = [:]
    /// Of fields that take several.
    private var uploads: [(field: String, file: UploadedFile)] = []

    /// A field as it was typed, without surrounding white space; empty where absent.
    package subscript(_ name: String) -> String { (fields[name] ?? "").trimmed }

    init() {}

    /// A form that changes nothing, as an address says what was asked for.
    init(_ pairs: [(String, String)]) {
        for (name, value) in pairs { fields[name] = value }
    }

    /// All files of one field, in the order in which they were chosen.
    func files(named name: String) -> [UploadedFile] { uploads.filter { $0.field == name }.map(\.file) }

    /// Reads the body.
    /// - Parameters:
    ///   - strangers: bytes that a form with files may have where nobody is signed in: few have a picture to send.
    ///   - members: the same where somebody is.
    /// - Throws: `forbidden` without the session's CSRF token, `malformed`, `tooLarge`, `unsupportedMediaType`.
    package static func read(
        _ request: Request, in context: GatewayContext, csrf: CSRF, strangers: Int = BodyLimits.json,
        members: Int = BodyLimits.photoForm
    ) async throws -> SubmittedForm {
        var form = SubmittedForm()
        let type = request.headers[.contentType] ?? ""
        if let boundary = Multipart.boundary(ofContentType: type) {
            let limit = context.caller.person == nil ? strangers : members
            let bytes = try await BodyLimits.read(request, limit: limit, in: context)
            for part in try Multipart.parse(bytes, boundary: boundary) { try form.add(part) }
        } else if type.isEmpty || type.lowercased().hasPrefix("application/x-www-form-urlencoded") {
            let bytes = try await BodyLimits.read(request, limit: BodyLimits.json, in: context)
            guard let text = String(validating: bytes, as: UTF8.self) else {
                throw ServiceError(.malformed, "The form is not text in UTF-8.")
            }
            for (name, value) in try FormEncoding.pairs(text) { form.fields[name] = value }
        } else {
            throw ServiceError(.unsupportedMediaType, "A form is expected here.")
        }
        if let session = context.webSession {
            try csrf.check(request.headers[CSRF.header] ?? form.fields[CSRF.field], session: session.id)
        }
        return form
    }

    private mutating func add(_ part: Multipart.Part) throws(ServiceError) {
        if let name = part.filename {
            // A file field that was left empty arrives as a part without a name and without bytes.
            guard !part.bytes.isEmpty else { return }
            let file = UploadedFile(name: name, type: part.contentType, bytes: Array(part.bytes))
            files[part.name] = file
            uploads.append((part.name, file))
        } else {
            guard let text = EntranceText.read(part.bytes) else { throw .isNoText(part.name) }
            fields[part.name] = text
        }
    }
}

package struct UploadedFile: Hashable, Sendable {
    /// What the sender's device called it; never used as a path.
    package var name: String
    /// What the sender says it is; never believed.
    package var type: String?
    package var bytes: [UInt8]
}

/// The encoding of queries and forms: `a=1&b=two+words%21`.
package enum FormEncoding {
    /// - Throws: `malformed` where bytes that were written as `%ff` are no text in UTF-8 (a replacement character would be kept
    ///   as if somebody had typed it), or none that may be read (`EntranceText`).
    package static func pairs(_ text: String) throws(ServiceError) -> [(String, String)] {
        var pairs: [(String, String)] = []
        // By bytes: an accent after a separator would make one character with it.
        for pair in Array(text.utf8).split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
                .map(decode)
            guard let name = EntranceText.read(parts[0]) else { throw .isNoText("") }
            guard let value = parts.count > 1 ? EntranceText.read(parts[1]) : "" else {
                throw .isNoText(name)
            }
            pairs.append((name, value))
        }
        return pairs
    }

    static func decode(_ text: ArraySlice<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = text
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+") {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%"), let high = digit(rest.first), let low = digit(rest.dropFirst().first) {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    /// Not `UInt8(_:radix:)`, for which a sign is one too.
    private static func digit(_ byte: UInt8?) -> UInt8? {
        switch byte {
        case .some(let byte) where (0x30...0x39).contains(byte): byte - 0x30
        case .some(let byte) where (0x41...0x46).contains(byte & 0xDF): (byte & 0xDF) - 0x41 + 10
        default: nil
        }
    }
}

extension ServiceError {
    /// - Parameter field: empty where not even its name can be read.
    fileprivate static func isNoText(_ field: String) -> ServiceError {
        let message = "This is too long, or not text in UTF-8."
        return ServiceError(.malformed, message, errors: [FieldError(field, "malformed", message)])
    }
}
