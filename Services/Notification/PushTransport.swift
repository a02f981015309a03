import Crypto
import FoundationEssentials
import WebClient
import WireProtocol

/// What is said to a device, and how urgent it is.
struct PushLetter: Sendable {
    let message: PushMessage
    /// Different for each device, the same for what takes the place of the same thing: 32 letters.
    let topic: String
    let expiresAt: Date
    let now: Date

    /// Seconds for which the server may keep it.
    var lifetime: Int { min(max(0, Int(expiresAt.timeIntervalSince(now))), 28 * 86_400) }

    /// What somebody waits for wakes a telephone that sleeps.
    var urgency: String { NoticeKinds.all[message.kind].isUrgent ? "high" : "normal" }
}

/// One kind of servers by which devices are reached.
protocol PushTransport: Sendable {
    /// Hands it over. The other side has it when this returns.
    /// - Throws: `PushFailure`, or whatever may go well later.
    func deliver(_ letter: PushLetter, to target: PushTarget) async throws
}

/// The servers of browsers' vendors (RFC 8030).
struct WebPushTransport: PushTransport {
    let vapid: VAPID
    let reach: PushReach
    let web: WebClient

    func deliver(_ letter: PushLetter, to target: PushTarget) async throws {
        guard case .webPush(let endpoint, let keys) = target else {
            throw PushFailure(kind: .final, reason: "It is no browser.")
        }
        guard let address = reach.address(endpoint) else {
            throw PushFailure(kind: .gone, reason: "Its server's address is not taken any more.")
        }
        var request = reach.request(address)
        request.headers = [
            "TTL: \(letter.lifetime)", "Urgency: \(letter.urgency)", "Topic: \(letter.topic)",
            "Content-Type: application/octet-stream", "Content-Encoding: \(PushCipher.coding)",
            try vapid.authorization(for: address, now: letter.now),
        ]
        do {
            request.bytes = try PushCipher.encrypt(WireJSON.encode(letter.message), for: keys)
        } catch is PushCipher.TooLong {
            throw PushFailure(kind: .tooLong, reason: "It is too long.")
        }
        let answer = try await web.answer(to: request)
        if let failure = Self.failure(answer, of: address.host) { throw failure }
    }

    /// What the server's words are, is not looked at: they may repeat where it was to.
    static func failure(_ answer: WebAnswer, of host: String) -> PushFailure? {
        let reason = "\(host) answers \(answer.status)."
        return switch answer.status {
        case 200...299: nil
        case 404, 410: PushFailure(kind: .gone, reason: reason)
        case 413: PushFailure(kind: .tooLong, reason: reason)
        case 408, 425, 429: PushFailure(kind: .later(answer.retryAfter), reason: reason)
        case 300...499: PushFailure(kind: .final, reason: reason)
        default: PushFailure(kind: .later(answer.retryAfter), reason: reason)
        }
    }
}

extension WebClient {
    /// - Throws: `PushFailure` where there is no answer.
    nonisolated(nonsending) func answer(to request: WebRequest) async throws -> WebAnswer {
        do {
            return try await send(request)
        } catch let failure as WebFailure {
            throw PushFailure(kind: .silent, reason: "\(request.address.host) does not answer: \(failure).")
        }
    }
}
