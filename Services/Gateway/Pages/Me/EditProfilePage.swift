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
    var regionField: Field?
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
            return try await show(EditProfilePage(person, Values(person), in: visit), visit)
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
        var page = EditProfilePage(person, values, in: visit, key: Visit.key(form))
        do {
            page.photo = try await PictureField.stored(from: form, in: visit)
            var change = ProfileChange(name: values.name, username: values.username, photo: page.photo ?? "")
            if form.fields["region"] != nil { change.region = values.region }
            _ = try await visit.command(AuthMethods.changeProfile, Nothing(), change, of: form)
            return visit.redirect(to: "/me", done: "saved")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: "/me", done: "savedBefore")
        } catch let error as ServiceError where error.code != .unauthenticated {
            var errors = FieldErrors(error, visit.words, names: ["photo": "file"])
            if error.code == .usernameTaken { errors.add("username", "taken") }
            if errors.isEmpty, form.files["file"] != nil, PictureField.codes.contains(error.code) {
                errors.add("file", error.code.rawValue)
            }
            var again = EditProfilePage(person, values, in: visit, key: page.key, errors: errors)
            again.photo = page.photo
            if errors.isEmpty { again.problem = visit.told(error) }
            return try await show(again, visit, status: ProblemStatus.status(of: error.code))
        }
    }

    private static func show(
        _ page: EditProfilePage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        let frame = PageFrame(title: visit.words["me.edit"], tab: .me, scripts: ["portrait"])
        return try await visit.page("me/edit", page, frame, status: status)
    }

    private init(
        _ person: Person, _ values: Values, in visit: Visit, key: String = Visit.newKey(), errors: FieldErrors? = nil
    ) {
        let words = visit.words
        var fields = [
            Field("name", words["form.name"]).with {
                $0.value = values.name
                $0.autocomplete = "name"
                $0.required = true
                $0.maxlength = "80"
            },
            Field("username", words["form.username"]).with {
                $0.value = values.username
                $0.hint = words["form.usernameHint"]
                $0.optional = true
                $0.verbatim = true
                $0.autocomplete = "off"
                $0.maxlength = "30"
            },
            Field("region", words["form.region"]).with {
                $0.optional = true
                $0.options = Self.regions(values.region, visit)
            },
        ]
        errors?.mark(&fields)
        self.key = key
        photo = person.photo
        fileError = errors?.messages["file"]
        (nameField, usernameField) = (fields[0], fields[1])
        regionField = visit.community.regions.isEmpty ? nil : fields[2]
        emailNote = words["me.emailNote", ["email": person.email ?? ""]]
    }

    private static func regions(_ chosen: String, _ visit: Visit) -> [Field.Option] {
        [Field.Option(value: "", text: visit.words["form.noRegion"], chosen: chosen.isEmpty)]
            + visit.community.regions.map { .init(value: $0, text: $0, chosen: $0 == chosen) }
    }
}
