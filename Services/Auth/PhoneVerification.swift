import FoundationEssentials
import WireProtocol

/// How often and for how long. Texts cost the operator money, so it is a day that counts, and there is a limit for everybody together.
struct PhonePolicy: Hashable, Sendable {
    /// Whether texts are sent here at all.
    var isOn = false
    /// With which numbers may begin, by their countries' codes (`+65`); all where there is none.
    var prefixes: [String] = []
    /// How long a code is good.
    var lifetime: TimeInterval = 600
    /// How many codes may be tried against one.
    var attempts = 5
    /// Codes that a person may ask for within `window`, and the pause between two of them.
    var perPerson = 5
    var pause: TimeInterval = 60
    /// Texts that go to one number within `window`, whoever asks.
    var perNumber = 5
    /// Texts within `window` in all.
    var inAll = 200
    var window: TimeInterval = 86_400

    func serves(_ phone: PhoneNumber) -> Bool {
        prefixes.isEmpty || prefixes.contains { phone.text.hasPrefix($0) }
    }
}

/// That a telephone number is somebody's: by its keyed digest, since when.
struct PhoneProof: Hashable, Sendable {
    let digest: [UInt8]
    let since: Date
}

/// Somebody wants to show that they read the texts of a number. What is true of it; no I/O, no clock.
struct PhoneVerificationCase: Hashable, SentCode {
    let id: UUID
    let person: PersonID
    let phone: PhoneNumber
    let requestedAt: Date
    let expiresAt: Date
}

/// What was asked for and sent lately.
struct PhoneTally: Hashable, Sendable {
    var ofPerson = 0
    var toNumber = 0
    var inAll = 0
    var latestOfPerson: Date?

    enum Verdict: Hashable {
        case send
        /// The number has got as many as it may; who asks is not told, since others may have asked.
        case sendNothing
        /// In so many seconds they may ask again.
        case wait(Int)
        /// The community has sent as many as it may.
        case exhausted(Int)
    }

    func verdict(_ policy: PhonePolicy, now: Date) -> Verdict {
        if let latestOfPerson {
            let rest = policy.pause - now.timeIntervalSince(latestOfPerson)
            if rest > 0 { return .wait(Int(rest.rounded(.up))) }
        }
        if ofPerson >= policy.perPerson { return .wait(Int(policy.window)) }
        if inAll >= policy.inAll { return .exhausted(Int(policy.window / 24)) }
        return toNumber >= policy.perNumber ? .sendNothing : .send
    }
}
