import WireProtocol

/// What a neighbour says of another one once the two are through with a spot, a rental or a delivery.
struct Opinion: Hashable, Sendable {
    var rating: Int
    var text: String

    /// Neighbours are kind; one in five has something to wish for.
    static func ofPoster(of title: String, using random: inout some RandomNumberGenerator) -> Opinion {
        choose(
            from: [
                Opinion(rating: 5, text: "Exactly where the map said, and still free when I came. Thank you!"),
                Opinion(
                    rating: 5, text: "The picture showed which gap was meant. That saved me a lap around the block."),
                Opinion(rating: 5, text: "\(title): a good find on a busy morning."),
                Opinion(rating: 4, text: "Easy to find. A little tight for an estate car."),
                Opinion(rating: 4, text: "All as described."),
            ], or: Opinion(rating: 3, text: "Fine, but the meter had changed its hours. Worth saying so next time."),
            using: &random)
    }

    static func ofClaimer(using random: inout some RandomNumberGenerator) -> Opinion {
        choose(
            from: [
                Opinion(rating: 5, text: "Took it within minutes and said that it was there. A pleasure."),
                Opinion(rating: 5, text: "Parked neatly and left room for the bicycles."),
                Opinion(rating: 4, text: "All went well."),
            ], or: Opinion(rating: 3, text: "Came rather late; somebody else would have been glad of it."),
            using: &random)
    }

    static func ofOwner(of title: String, using random: inout some RandomNumberGenerator) -> Opinion {
        choose(
            from: [
                Opinion(rating: 5, text: "\(title): clean, and just as described."),
                Opinion(rating: 5, text: "The key was there on the minute, and so was the coffee."),
                Opinion(rating: 4, text: "All went well. The door sticks a little."),
            ], or: Opinion(rating: 3, text: "Fine, but it took three messages to find the entrance."), using: &random)
    }

    static func ofRenter(using random: inout some RandomNumberGenerator) -> Opinion {
        choose(
            from: [
                Opinion(rating: 5, text: "Brought it back swept, and an hour early."),
                Opinion(rating: 5, text: "Asked before, careful with it, and on time."),
                Opinion(rating: 4, text: "Easy to agree with. Any time again."),
            ], or: Opinion(rating: 3, text: "Came back later than we had said; a message would have been nice."),
            using: &random)
    }

    static func ofDeliverer(of title: String, using random: inout some RandomNumberGenerator) -> Opinion {
        choose(
            from: [
                Opinion(rating: 5, text: "\(title): still hot, and nothing spilt. Thank you!"),
                Opinion(rating: 5, text: "Said when it would be there, and it was."),
                Opinion(rating: 4, text: "All there, down to the napkins."),
            ], or: Opinion(rating: 3, text: "Good, but I had stood at the wrong door for a while."), using: &random)
    }

    static func ofOrderer(using random: inout some RandomNumberGenerator) -> Opinion {
        choose(
            from: [
                Opinion(rating: 5, text: "Was at the door with the money in hand."),
                Opinion(rating: 5, text: "Wrote where the lift is. That saved me four flights."),
                Opinion(rating: 4, text: "All went well."),
            ], or: Opinion(rating: 3, text: "Nice, but I waited ten minutes at the door."), using: &random)
    }

    private static func choose(
        from kind: [Opinion], or critical: Opinion, using random: inout some RandomNumberGenerator
    ) -> Opinion {
        Int.random(in: 0..<5, using: &random) == 0 ? critical : kind.randomElement(using: &random) ?? critical
    }
}
