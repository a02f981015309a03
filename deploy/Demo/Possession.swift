import WireProtocol

/// Something that a neighbour lets, and what has become of it.
struct Possession: Hashable, Sendable {
    var kind: ThingKind
    /// The username of whose it is.
    var owner: String
    var title: String
    var description: String
    /// The names of drawings, the cover first.
    var pictures: [String]
    /// Of one day, or one hour, in minor units; 0 costs nothing.
    var price: Int
    var car: Car?
    /// Square metres of a space.
    var size: Int?
    var longest: Int?
    var cancellation = CancellationPolicy.flexible
    var isInstant = false
    /// For how many days from now it is let.
    var days: Int?
    /// Begun, and not listed yet.
    var isDraft = false
    var deal: Deal?

    struct Car: Hashable, Sendable {
        var brand: String
        var model: String
        /// Right by the checksum of Singapore's scheme, so that it is right wherever a community checks plates or not.
        var plate: String
    }

    /// What somebody agreed on with its owner.
    struct Deal: Hashable, Sendable {
        var renter: String
        var reaches: Stage
        var message: String
    }

    /// How far it has come.
    enum Stage: Int, Hashable, Comparable, Sendable {
        case requested, accepted, running, returned
        static func < (one: Stage, other: Stage) -> Bool { one.rawValue < other.rawValue }
    }
}

extension ThingDraft {
    /// - Parameters:
    ///   - today: The community's, for the days in which it is let.
    init(
        _ possession: Possession, at place: Place, number: Int, region: String?, pictures: [String: String],
        currency: String, today: CalendarDays
    ) {
        self.init(
            kind: possession.kind, title: possession.title, description: possession.description,
            brand: possession.car?.brand, model: possession.car?.model, plate: possession.car?.plate,
            size: possession.size, region: region, place: place.name, address: "\(place.name) \(number)",
            position: place.position, photos: possession.pictures.compactMap { pictures[$0] },
            available: possession.days.map { AvailableDays(until: today.day(after: $0)) },
            price: Money(amount: possession.price, currency: currency), longest: possession.longest,
            cancellation: possession.cancellation, isInstant: possession.isInstant,
            isComplete: possession.isDraft ? false : nil)
    }
}

extension Possession {
    static let all = cars + spaces + parking

    static let cars = [
        Possession(
            kind: .car, owner: "aino", title: "Jazz for the weekend",
            description: "Room for four and a pram. The child seat stays in the car if you want it.",
            pictures: ["car-red-hatch"], price: 3900, car: Car(brand: "Honda", model: "Jazz", plate: "SKD4182E"),
            cancellation: .moderate,
            deal: Deal(renter: "ravi", reaches: .returned, message: "For the big shopping. Back before supper.")),
        Possession(
            kind: .car, owner: "mikko", title: "Octavia estate with a roof box",
            description: "Takes skis, a double bass or a family. Winter tyres since October.",
            pictures: ["car-blue-estate", "street-snow"], price: 4900,
            car: Car(brand: "Skoda", model: "Octavia", plate: "SLM907Z"), longest: 14, cancellation: .moderate,
            deal: Deal(renter: "linh", reaches: .running, message: "We drive to the sauna in Espoo and back.")),
        Possession(
            kind: .car, owner: "fatima", title: "Kangoo: moves a flat in two rounds",
            description: "Two metres of floor, straps and a blanket are in the back. Please sweep it.",
            pictures: ["car-white-van"], price: 5500,
            car: Car(brand: "Renault", model: "Kangoo", plate: "SGH5521E"), longest: 3, cancellation: .strict,
            deal: Deal(renter: "otso", reaches: .requested, message: "We are moving a sofa. Half a day is enough.")),
        Possession(
            kind: .car, owner: "otso", title: "Duster for forest roads",
            description: "High enough for every cottage road. It likes to be washed afterwards.",
            pictures: ["car-green-suv", "by-the-sea"], price: 4500,
            car: Car(brand: "Dacia", model: "Duster", plate: "SMB3316E"), longest: 7,
            deal: Deal(renter: "helmi", reaches: .accepted, message: "To my parents' cottage, with the dog. May he?")),
        Possession(
            kind: .car, owner: "linh", title: "The yellow 500",
            description: "Fits where nothing else fits. Two and a half people.",
            pictures: ["car-yellow-small"], price: 2900, car: Car(brand: "Fiat", model: "500", plate: "SJR728X"),
            isInstant: true),
        Possession(
            kind: .car, owner: "amara", title: "Leaf, charged every morning",
            description: "180 km in summer, rather less in January. The cable is under the boot floor.",
            pictures: ["car-grey-hatch"], price: 3500,
            car: Car(brand: "Nissan", model: "Leaf", plate: "SKZ6049D"), isInstant: true, days: 120,
            deal: Deal(renter: "mikko", reaches: .accepted, message: "To the airport on the day after tomorrow.")),
        Possession(
            kind: .car, owner: "helmi", title: "XC60 with a tow bar",
            description: "Pulls a trailer of 1.8 t. Show me your licence when you fetch the key.",
            pictures: ["car-black-suv", "courtyard"], price: 7900,
            car: Car(brand: "Volvo", model: "XC60", plate: "SLA2215L"), longest: 5, cancellation: .strict),
        Possession(
            kind: .car, owner: "ravi", title: "Picanto: small, cheap, clean",
            description: "For errands. Full tank when you get it, full tank when it comes back.",
            pictures: ["car-teal-small"], price: 1900, car: Car(brand: "Kia", model: "Picanto", plate: "SNC8830L"),
            deal: Deal(renter: "amara", reaches: .requested, message: "Tuesday evening, for choir. I fill it up.")),
        Possession(
            kind: .car, owner: "otso", title: "California camper",
            description: "Sleeps four, cooks for six. Two nights at least are worth it.",
            pictures: ["car-orange-van", "by-the-sea"], price: 11900,
            car: Car(brand: "Volkswagen", model: "California", plate: "SFP1471L"), longest: 21,
            cancellation: .strict),
        Possession(
            kind: .car, owner: "fatima", title: "V70, old and faithful",
            description: "Three hundred thousand kilometres, and never late. Dogs welcome.",
            pictures: ["car-silver-estate", "autumn-leaves"], price: 2500,
            car: Car(brand: "Volvo", model: "V70", plate: "SMV3902H"), isInstant: true, days: 45),
        Possession(
            kind: .car, owner: "aino", title: "Zoe by the library", description: "Charges at the lamp post in front.",
            pictures: ["car-teal-small", "night-lamp"], price: 3200,
            car: Car(brand: "Renault", model: "Zoe", plate: "SLT556R")),
        Possession(
            kind: .car, owner: "mikko", title: "Polo",
            description: "Still at the garage; I list it when the brakes are done.", pictures: ["car-red-hatch"],
            price: 2700, car: Car(brand: "Volkswagen", model: "Polo", plate: "SKW7743S"), isDraft: true),
    ]

    static let spaces = [
        Possession(
            kind: .space, owner: "helmi", title: "Dry cellar with shelves",
            description: "Under our house, 14 degrees all year. The key hangs at ours.",
            pictures: ["storage-cellar"], price: 250, size: 8, longest: 90,
            deal: Deal(renter: "aino", reaches: .running, message: "Winter tyres and one suitcase.")),
        Possession(
            kind: .space, owner: "ravi", title: "Half of an attic",
            description: "Three flights up, no lift: for light things. A window, and no mice so far.",
            pictures: ["storage-attic"], price: 150, size: 15,
            deal: Deal(renter: "fatima", reaches: .requested, message: "Six boxes of books while we paint. Too heavy?")),
        Possession(
            kind: .space, owner: "amara", title: "Empty room at the yard",
            description: "Door 90 cm wide, level with the yard. Light and a socket.", pictures: ["storage-room"],
            price: 600, size: 11, cancellation: .moderate, isInstant: true),
        Possession(
            kind: .space, owner: "linh", title: "Room for a bicycle in winter",
            description: "Beside ours, locked, with a pump.", pictures: ["storage-boxes", "beside-the-bicycles"],
            price: 50, size: 2, days: 150,
            deal: Deal(renter: "ravi", reaches: .returned, message: "Only for tonight, while guests are here.")),
        Possession(
            kind: .space, owner: "otso", title: "Quarter of a garage",
            description: "Behind the car, so call before you come. Two pallets fit.",
            pictures: ["garage", "storage-boxes"], price: 200, size: 6),
        Possession(
            kind: .space, owner: "mikko", title: "Cellar cage, number 7",
            description: "Wire mesh: everybody sees what you keep.", pictures: ["storage-cellar", "storage-boxes"],
            price: 120, size: 4, longest: 60, isInstant: true),
        Possession(
            kind: .space, owner: "fatima", title: "Workshop corner with a bench",
            description: "Leave your half-built boat here. Noise until eight.",
            pictures: ["storage-room", "courtyard"],
            price: 450, size: 9, cancellation: .strict),
        Possession(
            kind: .space, owner: "aino", title: "A shelf and a half",
            description: "For exam papers, jam or records. Free for neighbours.", pictures: ["storage-cellar"],
            price: 0,
            size: 1),
    ]

    static let parking = [
        Possession(
            kind: .parking, owner: "helmi", title: "Driveway beside the wooden house",
            description: "One car, not a van. Leave the gate open.", pictures: ["driveway"], price: 150,
            isInstant: true, deal: Deal(renter: "otso", reaches: .running, message: "While I am at the dentist.")),
        Possession(
            kind: .parking, owner: "ravi", title: "Garage space on level 2",
            description: "Place 214. The door opens by telephone; I give you the number.",
            pictures: ["garage-entrance", "garage"], price: 300, longest: 48,
            deal: Deal(renter: "linh", reaches: .accepted, message: "For my sister, who visits me.")),
        Possession(
            kind: .parking, owner: "amara", title: "Courtyard, second arch",
            description: "Quiet, lit, and closed at ten in the evening.", pictures: ["courtyard-evening", "courtyard"],
            price: 200, cancellation: .moderate,
            deal: Deal(renter: "mikko", reaches: .requested, message: "Tomorrow morning, until noon.")),
        Possession(
            kind: .parking, owner: "linh", title: "Place with a charging socket",
            description: "11 kW, paid for with the hour.", pictures: ["courtyard", "driveway"], price: 350, longest: 12),
    ]
}
