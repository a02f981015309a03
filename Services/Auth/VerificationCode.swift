import FoundationEssentials
import WireProtocol

/// A code that somebody asked for, to show that an address or a number is theirs.
///
/// It is stored nowhere: it follows from the id and a key outside the database.
protocol SentCode: Sendable {
    /// The id of its mail or text as well.
    var id: UUID { get }
    var requestedAt: Date { get }
    var expiresAt: Date { get }
}

extension SentCode {
    /// How long it is good, as people are told.
    var minutes: Int { Int(expiresAt.timeIntervalSince(requestedAt) / 60) }

    func outgoing(_ kind: OutgoingMail.Kind, in language: String?) -> OutgoingMail {
        OutgoingMail(id: id, kind: kind, language: Language.code(language), expiresAt: expiresAt)
    }
}

/// How often and for how long.
struct VerificationPolicy: Hashable, Sendable {
    /// How long a code is good.
    var lifetime: TimeInterval = 600
    /// How many codes may be tried against one.
    var attempts = 5
    /// Codes that a person may ask for within `window`, and the pause between two of them.
    var perPerson = 5
    var pause: TimeInterval = 30
    /// Codes that go to one address within `window`, whoever asks.
    var perAddress = 5
    var window: TimeInterval = 3600

    /// What was asked for later counts.
    func since(_ now: Date) -> Date { now.addingTimeInterval(-window) }
}

/// What was asked for lately.
struct VerificationTally: Hashable, Sendable {
    var ofPerson = 0
    var toAddress = 0
    var latestOfPerson: Date?

    enum Verdict: Hashable {
        case send
        /// The address has got as many as it may; who asks is not told, since others may have asked.
        case sendNothing
        /// In so many seconds they may ask again.
        case wait(Int)
    }

    func verdict(_ policy: VerificationPolicy, now: Date) -> Verdict {
        if let latestOfPerson {
            let rest = policy.pause - now.timeIntervalSince(latestOfPerson)
            if rest > 0 { return .wait(Int(rest.rounded(.up))) }
        }
        if ofPerson >= policy.perPerson { return .wait(Int(policy.window)) }
        return toAddress >= policy.perAddress ? .sendNothing : .send
    }
}

extension AuthTransaction {
    /// Keeps a code and sends its mail, as far as the policy lets it after what was asked for lately.
    /// - Throws: `tooManyRequests`.
    func send(
        _ mail: OutgoingMail, after tally: VerificationTally, _ policy: VerificationPolicy, at now: Date,
        keeping keep: () async throws -> Void
    ) async throws {
        switch tally.verdict(policy, now: now) {
        case .wait(let seconds):
            throw ServiceError(.tooManyRequests, "That was often. Try again later.", retryAfter: seconds)
        case .sendNothing: break
        case .send:
            try await keep()
            try await stores.outgoing.add(mail, dueAt: now)
        }
    }
}

/// Six digits.
enum VerificationCode {
    static let digits = 6

    /// What somebody typed, if it is six digits; spaces between them are as people copy them.
    static func read(_ text: String) -> String? {
        let code = text.filter { !$0.isWhitespace }
        let isCode =
            code.utf8.count == digits && code.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        return isCode ? code : nil
    }

    /// Whether what somebody typed is the code.
    static func isSame(_ text: String, _ code: String) -> Bool {
        read(text).map { ConstantTime.equal(Array($0.utf8), Array(code.utf8)) } ?? false
    }

    /// The code that follows from what only we can make.
    static func make(of secret: [UInt8]) -> String {
        let number = secret.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) } % 1_000_000
        let text = String(number)
        return String(repeating: "0", count: digits - text.count) + text
    }
}
