import HTTPTypes
import Hummingbird
import WireProtocol

/// `/me/edit`: everything that one says of oneself.
struct EditProfilePage {
    var problem: String?
    /// What was saved while it was being filled in.
    var meanwhile: Meanwhile?
    var key: String
    /// Of the profile, as the form was made of it.
    var version: String?
    var photo: String?
    var fileError: String?
    var nameField: Field
    var usernameField: Field
    var regionField: TypedOrChosen
    var bio: Field
    var phone: Field
    var carFields: [Field]
    var modes: [Mode]
    var emailNote: String

    struct Mode {
        var value: String
        var text: String
        var chosen: Bool
    }

    static func register(on routes: PageRoutes) {
        routes.get("/me/edit") { visit in
            let person = try await me(visit)
            var page = EditProfilePage(person, EditProfileForm(person), in: visit)
            // From joining: the picture that was sent along would not do.
            if let code = visit.query("picture") {
                page.fileError = visit.words.find("field.file.\(code)") ?? visit.words["field.file.unavailable"]
            }
            return try await show(page, visit)
        }
        routes.post("/me/edit") { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            return try await change(try await me(visit), form, visit)
        }
    }

    private static func me(_ visit: Visit) async throws -> Person {
        try visit.context.requirePerson()
        return try await visit.ask(AuthMethods.me, Nothing(), Nothing())
    }

    private static func change(_ person: Person, _ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let values = EditProfileForm(form)
        var photo = person.photo
        do {
            photo = try await PictureField.stored(from: form, in: visit)
            guard let change = values.change(photo: photo) else {
                throw ServiceError.invalid([FieldError("car.year", "malformed", "This is not a year.")])
            }
            _ = try await visit.command(AuthMethods.changeProfile, Nothing(), change, of: form)
            return visit.redirect(to: "/me", done: "saved")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: "/me", done: "savedBefore")
        } catch let error as ServiceError where error.code == .changedMeanwhile {
            let now = try await me(visit)
            var typed = values
            typed.version = now.version
            var again = EditProfilePage(now, typed, in: visit, key: Visit.key(form))
            again.photo = photo
            again.meanwhile = Meanwhile(
                EditProfileForm(now).said(photo: now.photo, in: visit), besides: typed.said(photo: photo, in: visit),
                href: "/me/edit", in: visit.words)
            return try await show(again, visit, status: ProblemStatus.status(of: error.code))
        } catch let error as ServiceError where error.code != .unauthenticated {
            var errors = FieldErrors(error, visit.words, names: EditProfileForm.names)
            var others: UsernameCheck?
            if error.code == .usernameTaken {
                errors.add("username", "username_taken")
                others = await UsernameCheck.others(than: values.username, in: visit)
            }
            if errors.isEmpty, form.files["file"] != nil, PictureField.codes.contains(error.code) {
                errors.add("file", error.code.rawValue)
            }
            var again = EditProfilePage(
                person, values, in: visit, key: Visit.key(form), errors: errors, others: others)
            again.photo = photo
            if errors.isEmpty { again.problem = visit.told(error) }
            return try await show(again, visit, status: ProblemStatus.status(of: error.code))
        }
    }

    private static func show(
        _ page: EditProfilePage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        var page = page
        let linked = try await visit.askUnlessAway(AuthMethods.identities, Nothing())?.items ?? []
        if let from = linked.first(where: \.name)?.provider.name {
            page.nameField = page.nameField.locked(visit.words["identities.nameLocked", ["provider": from]])
        }
        let frame = PageFrame(title: visit.words["me.edit"], tab: .me, scripts: ["portrait", "names"])
        return try await visit.page("me/edit", page, frame, status: status)
    }

    private init(
        _ person: Person, _ values: EditProfileForm, in visit: Visit, key: String = Visit.newKey(),
        errors: FieldErrors? = nil, others: UsernameCheck? = nil
    ) {
        var fields = values.fields(others, in: visit)
        errors?.mark(&fields)
        self.key = key
        version = values.version
        photo = person.photo
        fileError = errors?.messages["file"]
        (nameField, usernameField, regionField) = (fields[0], fields[1], TypedOrChosen(fields[2]))
        (bio, phone, carFields) = (fields[3], fields[4], Array(fields[5...]))
        modes = DeliveryMode.allCases.map {
            Mode(value: $0.rawValue, text: visit.words["mode.\($0.rawValue)"], chosen: $0 == values.mode)
        }
        emailNote = visit.words["me.emailNote", ["email": person.email ?? ""]]
    }
}
