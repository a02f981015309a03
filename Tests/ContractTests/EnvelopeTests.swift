import Foundation
import Testing
import WireProtocol

/// The frames of PROTOCOL.md, byte for byte, written by hand (not by the code under test).
@Suite struct EnvelopeTests {
    let golden: [String: [[UInt8]]]
    let requestID = UUID(uuidString: "019aa3f2-0002-7077-8f80-92a3b4c5d6e7")!
    let epoch = UUID(uuidString: "019aa3f0-0000-7a66-8f70-8192a3b4c5d6")!
    let spot = "019aa3f2-0000-7e44-ad5e-6f708192a3b4"
    let trace = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"
    let deadline = Date(timeIntervalSince1970: 1_795_232_518.123)

    init() throws {
        let text = try JSONDecoder().decode([String: [String]].self, from: Data(try Fixtures.bytes("frames")))
        golden = text.mapValues { $0.map(Self.bytes) }
    }

    private static func bytes(_ hex: String) -> [UInt8] {
        stride(from: 0, to: hex.utf8.count, by: 2).map { UInt8(hex.dropFirst($0).prefix(2), radix: 16)! }
    }

    private func frames(_ name: String) throws -> [[UInt8]] { try #require(golden[name]) }

    private var signedIn: RequestEnvelope {
        get throws {
            RequestEnvelope(
                id: requestID, method: "listings.observeSpot", deadline: deadline,
                caller: Caller(
                    person: PersonID("019aa3f1-7c00-7a3b-8c1d-2e3f40516273"),
                    session: SessionID("019aa3f1-7c01-7b11-9a2b-3c4d5e6f7081"), campus: "nus.edu.sg",
                    roles: [.moderator], address: "203.0.113.7"),
                trace: trace, parameters: Array(#"{"id":"\#(spot)"}"#.utf8), body: Array(#"{"state":"there"}"#.utf8))
        }
    }

    @Test func requests() throws {
        let anonymous = RequestEnvelope(
            id: requestID, method: "auth.signingKeys", deadline: deadline, caller: .anonymous)
        for (name, request) in [("anonymousRequest", anonymous), ("signedInRequest", try signedIn)] {
            #expect(try request.frames() == frames(name), "\(name)")
            #expect(try RequestEnvelope(frames: frames(name)) == request, "\(name)")
        }
    }

    @Test func replies() throws {
        let refusal = ServiceError(.alreadyClaimed, "Someone else was faster.")
        let replies = [
            "successReply": ReplyEnvelope(id: requestID, outcome: .success(Array(#"{"keys":[]}"#.utf8)), tag: "v7"),
            "emptyReply": ReplyEnvelope(id: requestID, outcome: .success([])),
            "failureReply": ReplyEnvelope(id: requestID, outcome: .failure(refusal)),
        ]
        for (name, reply) in replies {
            #expect(try reply.frames() == frames(name), "\(name)")
            #expect(try ReplyEnvelope(frames: frames(name)) == reply, "\(name)")
        }
    }

    @Test func publications() throws {
        let header = EventHeader(
            id: UUID(uuidString: "019aa3f2-0001-7f55-be6f-708192a3b4c5")!, type: SpotClaimed.type,
            aggregate: "spot/\(spot)", audience: .everyone, occurredAt: WireJSON.date(from: "2026-11-21T03:43:00Z")!,
            location: Position(latitude: 60.1711, longitude: 24.95), trace: trace)
        let event = EventEnvelope(
            publisher: "listings", epoch: epoch, position: 42, header: header,
            payload: Array(#"{"id":"\#(spot)"}"#.utf8))
        let publications = [
            "event": Publication.event(event),
            "heartbeat": .heartbeat(publisher: "auth", epoch: epoch, head: 9_007_199_254_740_993),
        ]
        for (name, publication) in publications {
            #expect(try publication.frames() == frames(name), "\(name)")
            #expect(try Publication(frames: frames(name)) == publication, "\(name)")
        }
    }

    /// A later minor version may append frames.
    @Test func appendedFramesAreLeftAlone() throws {
        let more: [[UInt8]] = [Array("more".utf8)]
        #expect(try RequestEnvelope(frames: frames("signedInRequest") + more) == signedIn)
        #expect(try ReplyEnvelope(frames: frames("emptyReply") + more).outcome == .success([]))
        #expect(
            try Publication(frames: frames("heartbeat") + more)
                == .heartbeat(publisher: "auth", epoch: epoch, head: 9_007_199_254_740_993))
    }

    /// Hostile or broken frames are refused, never trapped on, and name their request where it can be read.
    @Test func damagedFramesAreRefused() throws {
        let whole = try frames("signedInRequest")
        for count in 0..<8 {
            #expect(throws: EnvelopeError.self) { try RequestEnvelope(frames: Array(whole.prefix(count))) }
        }
        for (index, junk) in [(0, "K9"), (1, "short"), (2, "\u{FF}"), (3, "soon"), (4, "{"), (5, "")] {
            var damaged = whole
            damaged[index] = junk == "\u{FF}" || junk.isEmpty ? [0xFF, 0xFE] : Array(junk.utf8)
            let error = #expect(throws: EnvelopeError.self) { try RequestEnvelope(frames: damaged) }
            #expect(error?.requestID == (index == 1 ? nil : requestID))
        }
        #expect(throws: EnvelopeError.self) { try ReplyEnvelope(frames: [[0x4B, 0x31], [], [], [], []]) }
        #expect(throws: EnvelopeError.self) { try Publication(frames: []) }
        #expect(throws: EnvelopeError.self) { try Publication(frames: Array(frames("event").prefix(6))) }
    }
}
