import Foundation
import KampongClient
import WireProtocol

/// The neighbours together: arrive, fill the map, and then do one thing at a time.
actor Neighbourhood {
    private let neighbours: [Resident]
    private let places: [Place]
    private let pastime = Pastime()
    private var random = SystemRandomNumberGenerator()

    private var people: [PersonID: Resident] = [:]
    private var pictures: [String: String] = [:]
    private var claimed: [SpotID: PersonID] = [:]
    private var currency = ""
    private var regions: [String] = []
    private var center = Position(latitude: 0, longitude: 0)
    private var lookedAt = Date.distantPast

    init(neighbours: [Resident], places: [Place]) {
        self.neighbours = neighbours
        self.places = places
    }

    /// Runs until the process ends; what goes wrong is noted and tried again.
    /// - Parameter pace: Seconds between two acts, on average.
    func live(pace: Double) async {
        while !Task.isCancelled {
            do {
                try await arrive()
                try await fill()
                try await getAcquainted()
                try await Letting(
                    neighbours: neighbours, places: places, pictures: pictures, currency: currency, regions: regions
                ).begin(now: Date())
                try await Driving(neighbours: neighbours, currency: currency, center: center).begin(now: Date())
                try await talk()
                try await lookOut(now: Date())
                while true {
                    try await Task.sleep(for: .seconds(pace * .random(in: 0.4...1.6, using: &random)))
                    try await doSomething()
                    try await Delivering(neighbours: neighbours, currency: currency, center: center)
                        .goOn(now: Date())
                    try await lookOut(now: Date())
                }
            } catch let problem as Problem {
                let wait = problem.status == 429 ? 60.0 : 10
                note("refused with \(problem.code.rawValue) (\(problem.detail)); going on in \(Int(wait)) s")
                try? await Task.sleep(for: .seconds(wait))
            } catch {
                note("\(error); going on in 10 s")
                try? await Task.sleep(for: .seconds(10))
            }
        }
    }

    private func arrive() async throws {
        let about = try await neighbours[0].client.about()
        (currency, regions, center) = (about.currency, about.regions, about.center)
        for resident in neighbours {
            let person = try await resident.arrive(regions: about.regions)
            people[person.id] = resident
        }
        if pictures.isEmpty { pictures = try await neighbours[0].uploadPictures() }
        note("\(people.count) neighbours are here, with \(pictures.count) pictures")
    }

    private func fill() async throws {
        var scene = try await look()
        while pastime.mustFill(scene, filling: true), let place = scene.somewhere(using: &random) {
            try await perform(.post(place), in: scene)
            // Arrivals a moment apart look like people, and stay below every limit.
            try await Task.sleep(for: .milliseconds(.random(in: 150...600, using: &random)))
            scene = try await look()
        }
        note("\(scene.free.count) spots are on the map")
    }

    /// What they look for ends by itself, and begins anew.
    private func lookOut(now: Date) async throws {
        guard now.timeIntervalSince(lookedAt) > Looking.pause else { return }
        try await Looking(neighbours: neighbours, center: center).goOn(now: now)
        lookedAt = now
    }

    private func doSomething() async throws {
        try await reviewEachOther()
        let scene = try await look()
        guard let act = pastime.next(in: scene, using: &random) else { return }
        do {
            try await perform(act, in: scene)
        } catch let problem as Problem where Self.everyday.contains(problem.code) {
            note("too late: \(problem.detail)")  // somebody else was faster, or its time was over
        }
    }

    private static let everyday: Set<ErrorCode> = [
        .wrongState, .alreadyClaimed, .tooManyClaims, .tooManySpots, .notFound, .forbidden,
    ]

    private func look() async throws -> Scene {
        let free = try await neighbours[0].client.spots(in: places.box, limit: 100).items
        return Scene(free: free, claimed: claimed, places: places, neighbours: Array(people.keys))
    }

    private func perform(_ act: Act, in scene: Scene) async throws {
        switch act {
        case .post(let place):
            let draft = SpotDraft.at(place, now: Date(), pictures: pictures, currency: currency, using: &random)
            let someone = people.values.randomElement(using: &random) ?? neighbours[0]
            _ = try await someone.client.postSpot(draft)
            note("\(someone.name) posted \(draft.name)")
        case .observe(let id, let state):
            guard let (_, someone) = passerBy(of: id, in: scene) else { return }
            _ = try await someone.client.observe(id, state)
            note("\(someone.name) found a spot \(state == .there ? "still there" : "gone")")
        case .claim(let id):
            guard let (person, someone) = passerBy(of: id, in: scene) else { return }
            let spot = try await someone.client.claim(id)
            claimed[id] = person
            note("\(someone.name) claimed \(spot.name)")
        case .giveBack(let id, let person):
            claimed[id] = nil
            guard let someone = people[person] else { return }
            let spot = try await someone.client.release(id)
            note("\(someone.name) gave \(spot.name) back")
        case .park(let id, let person):
            claimed[id] = nil
            guard let someone = people[person] else { return }
            let spot = try await someone.client.observe(id, .there)
            note("\(someone.name) parked at \(spot.name)")
        }
    }

    // MARK: What they write to each other

    /// Each with the next one, and one more about a spot of theirs or about what they let; rooms in which somebody has written are left alone.
    private func talk() async throws {
        let circle = neighbours.compactMap { resident in people.first { $0.value === resident } }
        let scene = try await look()
        for (place, one) in circle.enumerated() {
            let other = circle[(place + 1) % circle.count]
            let between = Subject(kind: .person, id: ID(other.key.uuid))
            try await have(.between(place), one, other, about: between)
            if !place.isMultiple(of: 2) {
                guard let thing = try await one.value.client.things(ThingQuery(by: other.key, limit: 1)).items.first
                else { continue }
                try await have(.aboutAThing, one, other, about: Subject(kind: .thing, id: ID(thing.id.uuid)))
                continue
            }
            guard let spot = scene.free.first(where: { $0.postedBy.id == other.key }) else { continue }
            try await have(.aboutASpot, one, other, about: Subject(kind: .spot, id: ID(spot.id.uuid)))
        }
    }

    private typealias Somebody = (key: PersonID, value: Resident)

    private func have(
        _ conversation: Conversation, _ one: Somebody, _ other: Somebody, about subject: Subject
    ) async throws {
        do {
            let room = try await one.value.client.openRoom(about: subject, with: other.key)
            guard room.last == nil else { return }
            for (number, line) in conversation.lines.enumerated() {
                let (writer, reader) = number.isMultiple(of: 2) ? (one, other) : (other, one)
                let sent = try await writer.value.client.send(MessageDraft(id: .new(), text: line), to: room.id)
                // The last line is left to be read: so there is something new in somebody's inbox.
                if number < conversation.lines.count - 1 {
                    try await reader.value.client.markRead(room.id, upTo: sent.number)
                }
                guard number == conversation.reported else { continue }
                let report = ReportDraft(
                    subject: Subject(kind: .message, id: ID(sent.id.uuid)), reason: .spam,
                    text: "I think that somebody else has got into this account.")
                _ = try await reader.value.client.report(report)
                note("\(reader.value.name) reported a message of \(writer.value.name)")
            }
            note("\(one.value.name) and \(other.value.name) write to each other")
        } catch let problem as Problem where Self.everyday.contains(problem.code) || problem.code == .alreadyReported {
            note("no chat: \(problem.detail)")
        }
    }

    // MARK: What they think of each other

    /// Each is a friend of the next two, so that there are mutual friends to be seen; and the first have parked where others made room.
    private func getAcquainted() async throws {
        let circle = neighbours.compactMap { resident in people.first { $0.value === resident } }
        for (place, one) in circle.enumerated() {
            let known = Set(try await one.value.client.friends().items.map(\.person.id))
            for step in 1...2 {
                let other = circle[(place + step) % circle.count]
                guard !known.contains(other.key) else { continue }
                _ = try await one.value.client.befriend(other.key)
                _ = try await other.value.client.befriend(one.key)
            }
        }
        guard try await neighbours[0].client.me().reputation == nil else { return try await reviewEachOther() }
        for (place, poster) in circle.enumerated() {
            let (scene, next) = (try await look(), circle[(place + 1) % circle.count])
            guard let spot = scene.free.first(where: { $0.postedBy.id == poster.key }) else { continue }
            _ = try await next.value.client.claim(spot.id)
            try await perform(.park(spot.id, by: next.key), in: scene)
        }
        // Auth hears of what was completed a moment later.
        try await Task.sleep(for: .seconds(2))
        try await reviewEachOther()
        try await fill()
    }

    /// Everybody writes what they may write.
    private func reviewEachOther() async throws {
        for someone in neighbours {
            let me = try await someone.client.me().id
            for encounter in try await someone.client.encounters().items where people[encounter.with.id] != nil {
                let opinion = await opinion(of: encounter, by: someone, me)
                _ = try await someone.client.writeReview(
                    ReviewDraft(subject: encounter.subject, rating: opinion.rating, text: opinion.text),
                    about: encounter.with.id)
                note("\(someone.name) reviewed \(encounter.with.name)")
            }
        }
    }

    private func opinion(of encounter: Encounter, by someone: Resident, _ me: PersonID) async -> Opinion {
        if encounter.subject.kind == .rental {
            let rental = try? await someone.client.rental(RentalID(encounter.subject.id.uuid))
            return rental?.role == .owner
                ? Opinion.ofRenter(using: &random) : Opinion.ofOwner(of: encounter.title, using: &random)
        }
        if encounter.subject.kind == .match {
            let match = try? await someone.client.match(MatchID(encounter.subject.id.uuid))
            return match?.role == .orderer
                ? Opinion.ofDeliverer(of: encounter.title, using: &random) : Opinion.ofOrderer(using: &random)
        }
        let spot = try? await someone.client.spot(SpotID(encounter.subject.id.uuid))
        return spot?.postedBy.id == me
            ? Opinion.ofClaimer(using: &random) : Opinion.ofPoster(of: encounter.title, using: &random)
    }

    /// Anybody but the one who posted it.
    private func passerBy(of id: SpotID, in scene: Scene) -> (PersonID, Resident)? {
        let poster = scene.free.first { $0.id == id }?.postedBy.id
        return people.filter { $0.key != poster }.randomElement(using: &random).map { ($0.key, $0.value) }
    }
}
