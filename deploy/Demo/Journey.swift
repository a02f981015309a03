import Foundation
import WireProtocol

/// A ride that a neighbour drives again and again, and what others ask of it.
struct Journey: Hashable, Sendable {
    /// The username of who drives.
    var driver: String
    var towns: [Town]
    /// The days on which it is driven: 1 is Monday.
    var weekdays: Set<Int>
    var hour: Int
    var minute = 0
    var seats = 3
    /// Of a seat all the way, in minor units; 0 costs nothing.
    var cost = 0
    /// Metres.
    var detour = 5000
    var luggage = RideLuggage.medium
    var accepts = RideAcceptance.nobody
    var notes: String?
    /// Asked for on the first day on which it is driven.
    var wishes: [Wish] = []

    /// Somewhere that everybody knows by its name.
    struct Town: Hashable, Sendable {
        var name: String
        var position: Position

        init(_ name: String, _ latitude: Double, _ longitude: Double) {
            self.name = name
            position = Position(latitude: latitude, longitude: longitude)
        }
    }

    /// What somebody asks for, by the numbers of its stops.
    struct Wish: Hashable, Sendable {
        var rider: String
        var from = 0
        /// The end where nil.
        var to: Int?
        var seats = 1
        var isAccepted = false
        var message: String
    }
}

extension Journey {
    /// For how many days ahead rides are there.
    static let term = 28

    /// The days, of those ahead, on which it is driven.
    /// - Parameter today: The community's.
    func days(from today: Date, in calendar: Calendar) -> [Date] {
        (1...Self.term).compactMap { calendar.date(byAdding: .day, value: $0, to: today) }.filter { day in
            // The calendar counts from Sunday.
            weekdays.contains((calendar.component(.weekday, from: day) + 5) % 7 + 1)
        }
    }

    /// As it is posted for one day.
    func draft(on day: Date, in calendar: Calendar, currency: String) -> RideDraft {
        let date = calendar.dateComponents([.year, .month, .day], from: day)
        func two(_ number: Int?) -> String { String(format: "%02d", number ?? 0) }
        return RideDraft(
            stops: towns.map { RideStopDraft(name: $0.name, position: $0.position) },
            departsAt: "\(date.year ?? 0)-\(two(date.month))-\(two(date.day))T\(two(hour)):\(two(minute))",
            zone: calendar.timeZone.identifier, seats: seats,
            cost: cost > 0 ? Money(amount: cost, currency: currency) : nil, maxDetour: detour, luggage: luggage,
            accepts: accepts, notes: notes)
    }
}

/// Where neighbours drive: around Helsinki, or, for the story that rides began with, in California.
struct Roads: Hashable, Sendable {
    var zone: String
    var journeys: [Journey]
    /// Some along these, and some where nobody drives.
    var sought: [SoughtRide]

    /// Those that a community at this place would drive; nil where we know none.
    static func near(_ center: Position) -> Roads? {
        [finland, california].first { roads in
            roads.journeys.contains { $0.towns.contains { $0.position.metres(to: center) < 150_000 } }
        }
    }

    static let finland = Roads(zone: "Europe/Helsinki", journeys: finnish, sought: soughtInFinland)
    static let california = Roads(zone: "America/Los_Angeles", journeys: californian, sought: soughtInCalifornia)

    private static let helsinki = Journey.Town("Rautatientori, Helsinki", 60.1708, 24.9441)
    private static let kumpula = Journey.Town("Kumpula campus, Helsinki", 60.2043, 24.9626)
    private static let otaniemi = Journey.Town("Otaniemi, Espoo", 60.1841, 24.8301)
    private static let hämeenlinna = Journey.Town("Hämeenlinna", 60.9959, 24.4643)
    private static let tampere = Journey.Town("Tampere", 61.4978, 23.7610)
    private static let salo = Journey.Town("Salo", 60.3831, 23.1331)
    private static let turku = Journey.Town("Turku", 60.4518, 22.2666)
    private static let lahti = Journey.Town("Lahti", 60.9827, 25.6612)

    private static let finnish = [
        Journey(
            driver: "mikko", towns: [helsinki, hämeenlinna, tampere], weekdays: [5], hour: 16, cost: 1200,
            detour: 10_000, notes: "The Octavia with the roof box. Skis fit, and so does a double bass.",
            wishes: [
                .init(rider: "linh", isAccepted: true, message: "To my sister's. I travel light."),
                .init(rider: "ravi", to: 1, isAccepted: true, message: "Only as far as Hämeenlinna."),
                .init(rider: "helmi", from: 1, message: "I could get in at the station in Hämeenlinna."),
            ]),
        Journey(
            driver: "mikko", towns: [tampere, hämeenlinna, helsinki], weekdays: [7], hour: 17, minute: 30, cost: 1200,
            detour: 10_000, notes: "Back in time for supper."),
        Journey(
            driver: "fatima", towns: [helsinki, salo, turku], weekdays: [5, 6], hour: 9, seats: 2, cost: 1000,
            notes: "No smoking, and one stop for coffee.",
            wishes: [.init(rider: "amara", isAccepted: true, message: "A friend of mine has a concert there.")]),
        Journey(
            driver: "fatima", towns: [turku, salo, helsinki], weekdays: [7], hour: 18, seats: 2, cost: 1000),
        Journey(
            driver: "otso", towns: [otaniemi, kumpula], weekdays: [1, 3], hour: 8, seats: 4, detour: 1500,
            luggage: .small, accepts: .everybody, notes: "Every Monday and Wednesday, to the first lecture."),
        Journey(
            driver: "amara", towns: [helsinki, lahti], weekdays: [2, 4], hour: 15, minute: 45, cost: 700,
            notes: "To the ski jumps and back home."),
        Journey(
            driver: "aino", towns: [kumpula, tampere], weekdays: [6], hour: 10, seats: 1, cost: 1100, detour: 0,
            notes: "One seat in front; the back is full of honey.",
            wishes: [.init(rider: "helmi", isAccepted: true, message: "I bring a loaf for the honey.")]),
    ]

    private static let soughtInFinland = [
        SoughtRide(seeker: "ravi", from: helsinki, to: tampere, weekday: 5, hour: 16),
        SoughtRide(seeker: "amara", from: hämeenlinna, to: helsinki, weekday: 7, hour: 18),
        SoughtRide(seeker: "helmi", from: kumpula, to: otaniemi, weekday: 3, hour: 17),
        SoughtRide(seeker: "linh", from: helsinki, to: turku, weekday: 5, hour: 9, isVisible: false),
    ]

    private static let sanLuisObispo = Journey.Town("San Luis Obispo", 35.2828, -120.6596)
    private static let salinas = Journey.Town("Salinas", 36.6777, -121.6555)
    private static let sanJose = Journey.Town("San José", 37.3382, -121.8863)
    private static let sanFrancisco = Journey.Town("San Francisco", 37.7749, -122.4194)
    private static let santaBarbara = Journey.Town("Santa Barbara", 34.4208, -119.6982)
    private static let losAngeles = Journey.Town("Los Angeles", 34.0522, -118.2437)
    private static let sanDiego = Journey.Town("San Diego", 32.7157, -117.1611)
    private static let bakersfield = Journey.Town("Bakersfield", 35.3733, -119.0187)

    private static let californian = [
        Journey(
            driver: "mikko", towns: [sanLuisObispo, salinas, sanJose, sanFrancisco], weekdays: [5], hour: 15,
            cost: 2800, detour: 15_000, notes: "Up the 101. I stop wherever you get hungry.",
            wishes: [
                .init(rider: "linh", isAccepted: true, message: "Home for the weekend."),
                .init(rider: "ravi", to: 1, isAccepted: true, message: "Only as far as Salinas."),
                .init(rider: "helmi", from: 1, to: 2, message: "I could get in at Salinas."),
            ]),
        Journey(
            driver: "mikko", towns: [sanFrancisco, sanJose, salinas, sanLuisObispo], weekdays: [7], hour: 16,
            cost: 2800, detour: 15_000),
        Journey(
            driver: "fatima", towns: [sanLuisObispo, santaBarbara, losAngeles], weekdays: [5, 6], hour: 9, seats: 2,
            cost: 2500, notes: "No smoking, and one stop for coffee.",
            wishes: [.init(rider: "amara", isAccepted: true, message: "A friend of mine has a concert there.")]),
        Journey(
            driver: "fatima", towns: [losAngeles, santaBarbara, sanLuisObispo], weekdays: [7], hour: 17, seats: 2,
            cost: 2500),
        Journey(
            driver: "otso", towns: [sanLuisObispo, losAngeles, sanDiego], weekdays: [4], hour: 14, cost: 3500,
            detour: 10_000, accepts: .everybody),
        Journey(
            driver: "aino", towns: [sanLuisObispo, bakersfield], weekdays: [6], hour: 10, seats: 1, cost: 1500,
            detour: 0, notes: "One seat in front; the back is full of honey.",
            wishes: [.init(rider: "helmi", isAccepted: true, message: "I bring a loaf for the honey.")]),
    ]

    private static let soughtInCalifornia = [
        SoughtRide(seeker: "ravi", from: sanLuisObispo, to: sanJose, weekday: 5, hour: 15),
        SoughtRide(seeker: "amara", from: santaBarbara, to: sanLuisObispo, weekday: 7, hour: 18),
        SoughtRide(seeker: "helmi", from: sanLuisObispo, to: santaBarbara, weekday: 2, hour: 9),
        SoughtRide(seeker: "linh", from: sanFrancisco, to: sanLuisObispo, weekday: 7, hour: 16, isVisible: false),
    ]
}
