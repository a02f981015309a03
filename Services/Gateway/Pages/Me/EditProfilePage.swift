import HTTPTypes
import Hummingbird
import WireProtocol

/// `/me/edit`: name, picture, username, region.
struct EditProfilePage {
    var problem: String?
    var key: String
    var photo: String?
    var fileError: String?
    var nameField: Field
    var usernameField: Field
    var regionField: TypedOrChosen
    var emailNote: String

    private struct Values {
        var name: String
        var username: String
        var region: String

        init(_ person: Person) {
            name = person.name
            username = person.username ?? ""
            region = person.region ?? ""
        }

        init(_ form: SubmittedForm) {
            name = form["name"]
            username = form["username"]
            region = form["region"]
        }
    }

    static func register(on routes: PageRoutes) {
        routes.get("/me/edit") { visit in
            let person = try await me(visit)
            var page = EditProfilePage(person, Values(person), in: visit)
            // From joining: the picture that was sent along would not do.
            if let code = visit.query("picture") {
                page.fileError = visit.words.find("field.file.\(code)") ?? visit.words["field.file.unavailable"]
            }
            return try await show(page, visit)
        }
        routes.post("/me/edit") { visit in
            let person = try await me(visit)
            return try await change(person, try await visit.form(), visit)
        }
    }

    private static func me(_ visit: Visit) async throws -> Person {
        try visit.context.requirePerson()
        return try await visit.ask(AuthMethods.me, Nothing(), Nothing())
    }

    private static func change(_ person: Person, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let values = Values(form)
        var page = EditProfilePage(person, values, in: visit, key: form["key"])
        do {
            page.photo = try await PictureField.stored(from: form, in: visit)
            var change = ProfileChange(name: values.name, username: values.username, photo: page.photo ?? "")
            if form.fields["region"] != nil { change.region = values.region }
            _ = try await visit.ask(AuthMethods.changeProfile, Nothing(), change, id: Visit.key(form))
            return visit.redirect(to: "/me", done: "saved")
        } catch let error as ServiceError where error.code != .unauthenticated {
            var errors = FieldErrors(error, visit.words, names: ["photo": "file"])
            var others: UsernameCheck?
            if error.code == .usernameTaken {
                errors.add("username", "taken")
                others = await UsernameCheck.others(than: values.username, in: visit)
            }
            if errors.isEmpty, form.files["file"] != nil, PictureField.codes.contains(error.code) {
                errors.add("file", error.code.rawValue)
            }
            var again = EditProfilePage(person, values, in: visit, key: form["key"], errors: errors, others: others)
            again.photo = page.photo
            if ![.outcomeUnknown, .unavailable].contains(error.code) { again.key = Visit.newKey() }
            if errors.isEmpty { again.problem = visit.told(error) }
            return try await show(again, visit, status: ProblemStatus.status(of: error.code))
        }
    }

    private static func show(
        _ page: EditProfilePage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let frame = PageFrame(title: visit.words["me.edit"], tab: .me, scripts: ["portrait", "names"])
        return try await visit.page("me/edit", page, frame, status: status)
    }

    private init(
        _ person: Person, _ values: Values, in visit: Visit, key: String = Visit.newKey(), errors: FieldErrors? = nil,
        others: UsernameCheck? = nil
    ) {
        let words = visit.words
        var fields = [
            ProfileFields.name(values.name, in: words),
            ProfileFields.username(values.username, said: others, in: words),
            ProfileFields.region(values.region, in: visit),
        ]
        errors?.mark(&fields)
        self.key = key
        photo = person.photo
        fileError = errors?.messages["file"]
        (nameField, usernameField) = (fields[0], fields[1])
        regionField = TypedOrChosen(fields[2])
        emailNote = words["me.emailNote", ["email": person.email ?? ""]]
    }
}
