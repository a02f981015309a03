import WireProtocol

/// What two neighbours write to each other: lines in turn, the first by whoever opened the room.
struct Conversation: Hashable, Sendable {
    var lines: [String]
    /// The line, counted from 0, that the other one reports to moderators, so that they have something to look at.
    var reported: Int?

    /// Of people who know each other: one for each pair along the circle, over and over.
    static func between(_ place: Int) -> Conversation { ofFriends[place % ofFriends.count] }

    private static let ofFriends = [
        Conversation(lines: [
            "Hi! Are you around on Saturday? We are moving a sofa.",
            "I am. Morning or afternoon?",
            "Ten would be great. There is coffee 😊",
            "Then ten it is. I bring the straps.",
        ]),
        Conversation(lines: [
            "You left your umbrella in my car.",
            "Oh! I looked for it everywhere. Can I fetch it tonight?",
            "Any time after six.",
        ]),
        Conversation(lines: [
            "Kiitos vielä eilisestä! 🙏",
            "Ole hyvä! Thank you for the cake, it is gone already.",
            "Recipe: https://example.org/cake",
        ]),
        Conversation(
            lines: [
                "WIN A CAR!!! Everybody gets one, only today, send me your number and your bank",
                "What is this? That does not sound like you.",
            ], reported: 0),
        Conversation(lines: ["🚗💨", "🎉"]),
    ]

    /// Of somebody who asks about a spot, and of whoever shared it.
    static let aboutASpot = Conversation(lines: [
        "Is it still free? I could be there in ten minutes.",
        "It was a moment ago. The gap is right behind the blue van.",
        "Great, on my way!",
        "Watch out for the bicycle lane.",
    ])

    /// Of somebody who would like to rent something, and of whoever lets it.
    static let aboutAThing = Conversation(lines: [
        "Hello! Is it free on the first weekend of next month?",
        "It is. Ask for the days you want, and I accept.",
        "Where do we meet for the key?",
        "At the door; the address comes with the acceptance.",
    ])
}
