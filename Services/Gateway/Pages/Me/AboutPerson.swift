import PlainText
import WireProtocol

/// What somebody says of themselves beyond who they are, as `me/about` shows it: what the viewer may see is in it, no more.
struct AboutPerson {
    var bio: String?
    var phone: String?
    var car: String?
    var mode: String?
    var hasFacts: Bool

    init(_ person: Person, in words: Words) {
        bio = person.bio
        phone = person.phone
        car = person.car.map { Self.text(of: $0) }
        mode = person.mode.map { words["mode.\($0.rawValue)"] }
        hasFacts = phone != nil || car != nil || mode != nil
    }

    /// `Toyota Yaris, blue, 2015`
    private static func text(of car: PersonCar) -> String {
        let name = [car.make, car.model].compactMap(\.self).joined(separator: " ").nonEmpty
        return [name, car.color, car.year.map(String.init)].compactMap(\.self).joined(separator: ", ")
    }
}
