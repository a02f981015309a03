import FoundationEssentials
import Testing
import WireProtocol

/// Every form that there is, by the routes that the door serves: a page more is tried without anybody thinking of it.
@Suite struct PageForgeryTests {
    /// The mail program of who unsubscribes has neither session nor token (RFC 8058).
    private static let exempt: Set = ["/unsubscribe/{token}"]

    /// What changes something outside of `/v1`, with ids of nothing filled in.
    private static func forms(_ door: PageDoor) throws -> [String] {
        let changing = try door.pages().filter { !["GET", "HEAD"].contains($0.method) }
        #expect(changing.allSatisfy { $0.method == "POST" })
        #expect(exempt.isSubset(of: changing.map(\.path)))
        return changing.map(\.path).filter { !exempt.contains($0) }
            .map { $0.replacing(/\{\w+\}/, with: "\(SpotID.new())") }
    }

    @Test func no_form_is_taken_from_elsewhere_or_without_its_token() async throws {
        try await PageDoor.run { door in
            let (maya, other) = (try await door.inCharge("Maya"), try await door.join("Otto"))
            for visitor in [maya, other] { _ = try await visitor.get("/me") }
            let (token, foreign) = (maya.token, other.token)
            #expect(!token.isEmpty && !foreign.isEmpty && token != foreign)
            let before = door.services.commands
            let forms = try Self.forms(door)
            #expect(forms.count > 50, "\(forms)")
            for form in forms {
                for site in ["cross-site", "same-site"] {
                    let answer = try await maya.post(form, ["csrf": token], withToken: false, from: site)
                    #expect(answer.status == 403, "\(form) from \(site)")
                }
                for origin in ["https://evil.example", "null", "http://127.0.0.1.evil.example:\(door.port)"] {
                    let answer = try await maya.post(
                        form, ["csrf": token], [("Origin", origin)], withToken: false, from: nil)
                    #expect(answer.status == 403, "\(form) from \(origin)")
                }
                let wrong = ["none": nil, "empty": "", "cut": String(token.dropLast(4)), "another's": foreign]
                for (kind, token) in wrong {
                    let fields = token.map { ["csrf": $0] } ?? [:]
                    let answer = try await maya.post(form, fields, withToken: false)
                    #expect(answer.status == 403, "\(form) with \(kind)")
                }
            }
            #expect(door.services.commands == before)
        }
    }

    /// Else the walk above would show nothing: what it sends is refused for where it comes from, and for nothing else.
    @Test func with_its_token_each_of_them_is_looked_at() async throws {
        try await PageDoor.run { door in
            for form in try Self.forms(door) {
                // Some end the session of who sends them.
                let answer = try await door.inCharge("Maya").post(form, [:])
                #expect(answer.status != 403 && answer.status < 500, "\(form)")
            }
        }
    }
}

extension PageDoor {
    /// Somebody who has just joined and may do what anybody may.
    fileprivate func inCharge(_ name: String) async throws -> PageVisitor {
        let visitor = try await join(name)
        for role in [PersonRole.moderator, .operator] { appoint(name, role) }
        return visitor
    }
}
