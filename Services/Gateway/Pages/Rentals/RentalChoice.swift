import WireProtocol

/// Which of one's agreements are looked at, as the address of `/rentals` says it.
struct RentalChoice: Equatable {
    var role: RentalRole?
    var stage: RentalStage?

    init(role: RentalRole? = nil, stage: RentalStage? = nil) {
        self.role = role
        self.stage = stage
    }

    /// Links that name a single state lead to its stage.
    init(in visit: Visit) {
        role = visit.query("role").flatMap(RentalRole.init)
        stage =
            visit.query("stage").flatMap(RentalStage.init)
            ?? visit.query("state").flatMap(RentalState.init).map(RentalStage.init(of:))
    }

    var isAll: Bool { role == nil && stage == nil }

    /// The same at another stage. What waits is what waits for one's own answer, unless one looks at what one rents.
    func at(_ stage: RentalStage) -> RentalChoice {
        RentalChoice(role: stage == .waiting ? role ?? .owner : role, stage: stage)
    }

    /// How the catalogue calls the stage.
    var name: String {
        stage == .waiting && role == .owner ? "answer" : stage?.rawValue ?? "all"
    }

    /// How it calls a list of them.
    var section: String {
        stage == nil ? role == .owner ? "letting" : role == .renter ? "renting" : "all" : name
    }

    func path(cursor: String? = nil) -> String {
        let parts = [
            role.map { "role=\($0.rawValue)" }, stage.map { "stage=\($0.rawValue)" },
            cursor.map { "cursor=\(LocalPath.encoded($0))" },
        ].compactMap { $0 }
        return parts.isEmpty ? "/rentals" : "/rentals?\(parts.joined(separator: "&"))"
    }
}

/// One's agreements that are not over, by stages: what an overview shows, and how many there are for the choices elsewhere.
struct RunningRentals {
    /// Nobody has more that run.
    static let most = 50

    var waiting: [Rental]
    var upcoming: [Rental]
    var inHand: [Rental]

    init(in visit: Visit) async throws {
        async let waiting = Self.found(.waiting, visit)
        async let upcoming = Self.found(.upcoming, visit)
        async let inHand = Self.found(.inHand, visit)
        (self.waiting, self.upcoming, self.inHand) = try await (waiting, upcoming, inHand)
    }

    private static func found(_ stage: RentalStage, _ visit: Visit) async throws -> [Rental] {
        try await visit.ask(ListingsMethods.rentals, RentalQuery(stage: stage, limit: most), Nothing()).items
    }

    /// Of what is over nobody needs to know how much it is.
    func count(_ choice: RentalChoice) -> Int {
        let all =
            switch choice.stage {
            case .waiting: waiting
            case .upcoming: upcoming
            case .inHand: inHand
            case .over, nil: [Rental]()
            }
        return all.count { (choice.role ?? $0.role) == $0.role }
    }

    static func text(_ number: Int) -> String { number < most ? String(number) : "\(most)+" }
}
