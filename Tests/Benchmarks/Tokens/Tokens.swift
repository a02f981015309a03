import ArgumentParser
import Crypto
import FoundationEssentials
import GatewayService
import JWTKit
import Logging
import WireProtocol

/// What it costs to check an access token; a program of its own, since what the gateway and its library import is at odds with the C library's
/// structures in the other one.
@main struct TokenBenchmarks: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "token-benchmarks", abstract: "Makes and checks access tokens; deploy/bench calls it.",
        subcommands: [MakeTokens.self, CheckTokens.self])
}

/// Access tokens as auth makes them, each of another person; the key first, as JSON that every library reads.
struct MakeTokens: AsyncParsableCommand {
    static let configuration = CommandConfiguration(abstract: "Writes a key and tokens, one in each line.")
    @Option(help: "How many tokens.") var count = 20_000

    func run() async throws {
        let key = Curve25519.Signing.PrivateKey()
        let kid = UUID.version7().uuidString.lowercased()
        let signers = JWTKeyCollection()
        await signers.add(eddsa: EdDSA.PrivateKey(backing: key), kid: JWKIdentifier(string: kid))
        let x = Base64URL.encode(Array(key.publicKey.rawRepresentation))
        print(
            "{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"x\":\"\(x)\",\"kid\":\"\(kid)\",\"use\":\"sig\",\"alg\":\"EdDSA\"}")
        let now = Int(Date().timeIntervalSince1970)
        for _ in 0..<count {
            let claims = AccessTokenClaims(sub: .new(), sid: .new(), iat: now, exp: now + 3600, campus: "hill")
            print(try await signers.sign(Payload(claims: claims), kid: JWKIdentifier(string: kid)))
        }
    }
}

/// What the gateway does with each request's token, by its own code: tokens that it has never seen, and the same again.
struct CheckTokens: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        abstract: "Checks each token of standard input as the gateway does.")

    private struct Times: Encodable {
        var count: Int
        /// Microseconds for each, on one thread.
        var cold: Double
        var known: Double
        var p99: Double
    }

    func run() async throws {
        let key = try WireJSON.decode(SigningKeys.Key.self, from: Array((readLine() ?? "").utf8))
        var lines: [String] = []
        while let line = readLine() { lines.append(line) }
        let (tokens, warmUp) = (lines.dropFirst(lines.count / 10), lines.prefix(lines.count / 10))
        // Fewer than it remembers, so that the second round finds all of them.
        let checked = AccessTokens(
            backend: Nobody(), logger: Logger(label: "benchmarks") { _ in SwiftLogNoOpLogHandler() })
        await checked.adopt(SigningKeys(keys: [key]))
        for token in warmUp { _ = try await checked.verify(token) }
        let (cold, known) = (try await round(tokens, by: checked), try await round(tokens, by: checked))
        // A forged one would tell that nothing was checked.
        let forged = String(tokens.first!.dropLast(8)) + "AAAAAAAA"
        guard (try? await checked.verify(forged)) == nil else { throw ValidationError("a forged token was taken") }
        let times = Times(
            count: tokens.count, cold: cold.reduce(0, +) / Double(cold.count),
            known: known.reduce(0, +) / Double(known.count),
            p99: cold.sorted()[cold.count * 99 / 100])
        print(String(decoding: try WireJSON.encode(times), as: UTF8.self))
    }

    /// Microseconds for each.
    private func round(_ tokens: ArraySlice<String>, by checked: AccessTokens) async throws -> [Double] {
        var times: [Double] = []
        times.reserveCapacity(tokens.count)
        for token in tokens {
            let start = ContinuousClock.now
            _ = try await checked.verify(token)
            times.append((.now - start) / .microseconds(1))
        }
        return times
    }
}

private struct Payload: JWTPayload {
    let claims: AccessTokenClaims
    init(claims: AccessTokenClaims) { self.claims = claims }
    init(from decoder: any Decoder) throws { claims = try AccessTokenClaims(from: decoder) }
    func encode(to encoder: any Encoder) throws { try claims.encode(to: encoder) }
    func verify(using algorithm: some JWTAlgorithm) throws {}
}

/// Nobody is asked here: the key is known.
private struct Nobody: Backend {
    func call<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, _ body: Body, as caller: Caller,
        id: UUID, deadline: Date
    ) async throws -> Reply { throw ServiceError(.unavailable, "Nobody is here.") }

    func forward<Parameters, Body, Reply>(
        _ method: Method<Parameters, Body, Reply>, _ parameters: Parameters, body: [UInt8], as caller: Caller,
        id: UUID, deadline: Date
    ) async throws -> ServiceReply { throw ServiceError(.unavailable, "Nobody is here.") }
}
