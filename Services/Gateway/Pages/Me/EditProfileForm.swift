import PlainText
import WireProtocol

/// What `/me/edit` asks: what was typed, read into a change or shown again.
struct EditProfileForm {
    var name = ""
    var username = ""
    var region = ""
    var bio = ""
    var phone = ""
    var carMake = ""
    var carModel = ""
    var carYear = ""
    var carColor = ""
    var mode = DeliveryMode.ordering
    /// Of the profile, as the form was made of it.
    var version: String?

    init(_ person: Person) {
        name = person.name
        username = person.username ?? ""
        region = person.region ?? ""
        bio = person.bio ?? ""
        phone = person.phone ?? ""
        carMake = person.car?.make ?? ""
        carModel = person.car?.model ?? ""
        carYear = person.car?.year.map(String.init) ?? ""
        carColor = person.car?.color ?? ""
        mode = person.mode ?? .ordering
        version = person.version
    }

    init(_ form: SubmittedForm) {
        name = form["name"]
        username = form["username"]
        region = form["region"]
        bio = form["bio"]
        phone = form["phone"]
        carMake = form["carMake"]
        carModel = form["carModel"]
        carYear = form["carYear"]
        carColor = form["carColor"]
        mode = DeliveryMode(rawValue: form["mode"]) ?? .ordering
        version = form["version"].nonEmpty
    }

    /// What the JSON body calls the fields, and what the form does.
    static let names = [
        "photo": "file", "car.make": "carMake", "car.model": "carModel", "car.year": "carYear", "car.color": "carColor",
    ]

    /// Everything that the form shows, so that sending it twice is the same command.
    /// - Returns: Nil where the year is no number; all else the service judges.
    func change(photo: String?) -> ProfileChange? {
        guard carYear.isEmpty || Int(carYear) != nil else { return nil }
        func edit(_ text: String?) -> Edit<String> { text?.nonEmpty.map { .set($0) } ?? .remove }
        let car = PersonCar(
            make: carMake.nonEmpty, model: carModel.nonEmpty, year: Int(carYear), color: carColor.nonEmpty)
        return ProfileChange(
            name: .set(name), username: edit(username), region: edit(region), photo: edit(photo), phone: edit(phone),
            bio: edit(bio), car: car == PersonCar() ? .remove : .set(car), mode: .set(mode), version: version)
    }

    /// What the form says, place by place.
    func said(photo: String?, in visit: Visit) -> [Meanwhile.Said] {
        let words = visit.words
        return [
            visit.said(words["me.picture"], pictures: photo.map { [$0] } ?? []),
            Meanwhile.Said(words["form.mode"], words["mode.\(mode.rawValue)"]),
        ] + fields(nil, in: visit).map { Meanwhile.Said($0) }
    }

    /// In the order in which the page shows them.
    func fields(_ said: UsernameCheck?, in visit: Visit) -> [Field] {
        let words = visit.words
        func plain(_ name: String, _ value: String, _ change: (inout Field) -> Void = { _ in }) -> Field {
            Field(name, words["form.\(name)"]).with {
                $0.value = value
                $0.optional = true
                change(&$0)
            }
        }
        let car = [("carMake", carMake), ("carModel", carModel), ("carYear", carYear), ("carColor", carColor)]
        return [
            ProfileFields.name(name, in: words), ProfileFields.username(username, said: said, in: words),
            ProfileFields.region(region, in: visit),
            plain("bio", bio) { $0.hint = words["form.bioHint"] },
            plain("phone", phone) {
                $0.type = "tel"
                $0.autocomplete = "tel"
                $0.hint = words["form.phoneHint"]
            },
        ]
            + car.map { name, value in
                plain(name, value) {
                    $0.optional = false
                    $0.autocomplete = "off"
                    $0.inputmode = name == "carYear" ? "numeric" : nil
                    $0.maxlength = name == "carYear" ? "4" : "40"
                }
            }
    }
}
