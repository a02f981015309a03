import FoundationEssentials
import PlainText
import WireProtocol

/// What this community takes for a name, a username, a region, a photo; every rule with the words for whoever breaks it.
struct ProfileRules: Hashable, Sendable {
    static let longestName = 80
    static let usernameLengths = 3...30

    /// The community's regions; where there are none, people write what they like.
    var regions: [String] = []
    /// Passwords that nobody may choose.
    var common = CommonPasswords.builtIn

    /// Checks everything at once, so that people see all that is wrong in one go.
    /// - Throws: `invalid` with an error for each field.
    func check(_ form: SignUp) throws(ServiceError) -> (email: EmailAddress, password: Password, profile: Profile) {
        var errors: [FieldError] = []
        let email = collect(&errors) { () throws(Objection) in try emailAddress(form.email) }
        let password = collect(&errors) { () throws(Objection) in
            try Password(choosing: form.password, email: email, common: common)
        }
        let profile = self.profile(
            name: form.name, username: form.username, region: form.region, photo: form.photo, &errors)
        guard errors.isEmpty, let email, let password, let profile else { throw .invalid(errors) }
        return (email, password, profile)
    }

    /// The same for who comes from an identity provider.
    /// - Parameter name: What the provider says; it counts, whatever the form says. Nil where it says nothing.
    func check(_ form: IdentitySignUp, name: String?) throws(ServiceError) -> (email: EmailAddress, profile: Profile) {
        var errors: [FieldError] = []
        let email = collect(&errors) { () throws(Objection) in try emailAddress(form.email) }
        let profile = self.profile(
            name: name ?? form.name ?? "", username: form.username, region: form.region, photo: form.photo, &errors)
        guard errors.isEmpty, let email, let profile else { throw .invalid(errors) }
        return (email, profile)
    }

    /// The profile as it will be: what the change leaves out stays, and null or an empty text removes.
    ///
    /// What stays is not looked at again: a region that the community has given up since does not stand in the way.
    /// - Throws: `invalid` with an error for each field.
    func apply(_ change: ProfileChange, to old: Profile, now: Date) throws(ServiceError) -> Profile {
        var errors: [FieldError] = []
        var new = old
        if let given = change.name.given {
            new.name = collect(&errors) { () throws(Objection) in try name(given ?? "") } ?? old.name
        }
        if let given = change.username.given {
            new.username = collect(&errors) { () throws(Objection) in try username(given?.nonEmpty) } ?? nil
        }
        if let given = change.region.given {
            new.region = collect(&errors) { () throws(Objection) in try region(given?.nonEmpty) } ?? nil
        }
        if let given = change.photo.given {
            new.photo = collect(&errors) { () throws(Objection) in try photo(given?.nonEmpty) } ?? nil
        }
        if let given = change.phone.given {
            new.phone = collect(&errors) { () throws(Objection) in try phone(given?.nonEmpty) } ?? nil
        }
        if let given = change.bio.given {
            new.bio = collect(&errors) { () throws(Objection) in try bio(given?.nonEmpty) } ?? nil
        }
        if let given = change.car.given { new.car = given.flatMap { car($0, now: now, &errors) } }
        if let given = change.mode.given { new.mode = given ?? .ordering }
        guard errors.isEmpty else { throw .invalid(errors) }
        return new
    }

    private func profile(
        name: String, username: String?, region: String?, photo: String?, _ errors: inout [FieldError]
    ) -> Profile? {
        let name = collect(&errors) { () throws(Objection) in try self.name(name) }
        let username = collect(&errors) { () throws(Objection) in try self.username(username?.nonEmpty) }
        let region = collect(&errors) { () throws(Objection) in try self.region(region?.nonEmpty) }
        let photo = collect(&errors) { () throws(Objection) in try self.photo(photo?.nonEmpty) }
        guard let name, let username, let region, let photo else { return nil }
        return Profile(name: name, username: username, region: region, photo: photo)
    }

    func collect<Value>(_ errors: inout [FieldError], _ check: () throws(Objection) -> Value) -> Value? {
        do throws(Objection) {
            return try check()
        } catch {
            errors.append(error.error)
            return nil
        }
    }
}

// MARK: Field by field

extension ProfileRules {
    func emailAddress(_ text: String) throws(Objection) -> EmailAddress {
        guard text.nonEmpty != nil else { throw Objection("email", "required", "Enter your email address.") }
        guard let email = EmailAddress(text) else { throw Objection(EmailAddress.objection) }
        return email
    }

    func name(_ text: String) throws(Objection) -> String {
        try TextRule.line(Self.longestName).written(text, in: "name", required: "Enter the name that others shall see.")
    }

    func username(_ text: String?) throws(Objection) -> String? {
        guard let text else { return nil }
        guard Self.usernameLengths.contains(text.unicodeScalars.count) else {
            throw Objection("username", "length", "Use 3 to 30 characters.")
        }
        let isPlain = text.utf8.allSatisfy {
            // A letter and its capital differ in one bit.
            (UInt8(ascii: "a")...UInt8(ascii: "z")).contains($0 | 0x20)
                || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                || $0 == UInt8(ascii: "_") || $0 == UInt8(ascii: ".")
        }
        guard isPlain else {
            throw Objection("username", "characters", "Use letters from a to z, digits, dots and underscores.")
        }
        return text.lowercased()
    }

    private func region(_ text: String?) throws(Objection) -> String? {
        guard let text else { return nil }
        let region = try? TextRule.line(80).read(text)
        guard let region, regions.isEmpty || regions.contains(region) else {
            throw Objection("region", "unknown", "Choose one of the regions of this community.")
        }
        return region
    }

    private func photo(_ text: String?) throws(Objection) -> String? {
        guard let text else { return nil }
        guard text.utf8.count == 64, case let photo = text.lowercased(), HexText.isDigest(photo) else {
            throw Objection("photo", "photo", "Upload the photo first.")
        }
        return photo
    }
}
