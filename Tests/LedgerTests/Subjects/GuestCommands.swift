import Foundation
import KampongClient
import TestKit
import WireProtocol

/// Something that a guest does. What it leaves behind is looked at when they have gone, so no single event has to explain it.
protocol GuestCommand: LedgerCommand {
    var guest: Guest { get }
    func send(_ client: KampongClient, key: String) async throws -> String
}

extension GuestCommand {
    var service: PeerRole { .auth }
    var aggregate: String? { nil }
    var actor: LedgerPerson? { LedgerPerson(number: -1, id: guest.now.id, client: guest.client) }
    func send(as person: LedgerPerson, key: String) async throws -> String { try await send(guest.client, key: key) }
    func explains(_ events: [PublishedEvent]) -> Bool { true }
    func owns(_ event: PublishedEvent) -> Bool { false }
}

struct ArriveCommand: GuestCommand {
    let name = "arrive"
    let isAnonymous = true
    let guest: Guest

    func send(_ client: KampongClient, key: String) async throws -> String {
        guest.live { $0.wasGiven = true }
        let form = SignUp(
            email: "\(guest.word)@example.org", password: GuestsSubject.password, name: "Guest \(guest.word)")
        let id = try await client.signUp(form, key: key).id
        guest.live { $0.id = id }
        guest.keep(guest.word)
        return "person/\(id)"
    }
}

struct GuestPostCommand: GuestCommand {
    let name = "post"
    let guest: Guest
    let place: Position
    var service: PeerRole { .listings }

    func send(_ client: KampongClient, key: String) async throws -> String {
        let draft = SpotDraft(name: "Spot \(UUID().uuidString.prefix(13))", position: place, kind: .private)
        let spot = try await client.postSpot(draft, key: key).id
        guest.live { $0.spots.append(spot) }
        guest.keep("\(spot)")
        return "spot/\(spot)"
    }
}

/// Takes another guest's spot, and parks there.
struct GuestClaimCommand: GuestCommand {
    let name = "claim"
    let guest: Guest
    let spot: SpotID
    var service: PeerRole { .listings }
    var aggregate: String? { "spot/\(spot)" }

    func send(_ client: KampongClient, key: String) async throws -> String {
        _ = try await client.claim(spot, key: key)
        guest.live { $0.holds = spot }
        return "spot/\(spot)"
    }
}

struct GuestParkCommand: GuestCommand {
    let name = "park"
    let guest: Guest
    let spot: SpotID
    var service: PeerRole { .listings }
    var aggregate: String? { "spot/\(spot)" }

    func send(_ client: KampongClient, key: String) async throws -> String {
        _ = try await client.observe(spot, .there, key: key)
        return "spot/\(spot)"
    }
}

/// Says what the latest was like with whom one has parked.
struct GuestReviewCommand: GuestCommand {
    let name = "review"
    let guest: Guest

    func send(_ client: KampongClient, key: String) async throws -> String {
        guard let encounter = try await client.encounters(limit: 1).items.first else {
            throw Unreachable(outcomeUnknown: false, reason: "there is nothing to review")
        }
        let draft = ReviewDraft(subject: encounter.subject, rating: 4, text: "Fine, says \(guest.word)")
        let review = try await client.writeReview(draft, about: encounter.with.id, key: key)
        guest.keep("\(review.id)", of: encounter.with.id)
        return "review/\(review.id)"
    }
}

struct GuestBefriendCommand: GuestCommand {
    let name = "befriend"
    let guest: Guest
    let other: PersonID

    func send(_ client: KampongClient, key: String) async throws -> String {
        _ = try await client.befriend(other, key: key)
        guest.keep("\(other)", of: other)
        return "friendship/\(other)"
    }
}

struct GuestBlockCommand: GuestCommand {
    let name = "block"
    let guest: Guest
    let other: PersonID
    let book: GuestBook

    func send(_ client: KampongClient, key: String) async throws -> String {
        if let id = guest.now.id { book.part(id, other) }
        _ = try await client.block(other, key: key)
        return "block/\(other)"
    }
}

struct GuestReportCommand: GuestCommand {
    let name = "report"
    let guest: Guest
    let other: PersonID

    func send(_ client: KampongClient, key: String) async throws -> String {
        let subject = Subject(kind: .person, id: ID(other.uuid))
        let draft = ReportDraft(subject: subject, reason: .spam, text: "Noted in passing")
        let report = try await client.report(draft, key: key)
        guest.keep("\(report.id)", of: other)
        return "report/\(report.id)"
    }
}

struct ExportCommand: GuestCommand {
    let name = "export"
    let guest: Guest

    func send(_ client: KampongClient, key: String) async throws -> String {
        let before = guest.now.records
        guest.live { $0.export = .perhaps }
        let export = try await client.requestExport(key: key)
        guest.live {
            $0.export = .acknowledged
            $0.archive = before
        }
        return "export/\(export.id)"
    }
}

struct EraseCommand: GuestCommand {
    let name = "erase"
    let guest: Guest

    func send(_ client: KampongClient, key: String) async throws -> String {
        guest.live { $0.erasure = .perhaps }
        do {
            let erasure = try await client.eraseMe(password: GuestsSubject.password, key: key)
            guest.live {
                $0.erasure = .acknowledged
                $0.receipt = erasure.id
            }
            return "erasure/\(erasure.id)"
        } catch let problem as Problem where problem.code == .unauthenticated {
            // An answer that was lost is not given again when the token has run out: they are gone, perhaps.
            throw Unreachable(outcomeUnknown: true, reason: problem.code.rawValue)
        } catch {
            // Surely not done: they try again by the next command.
            if case .fail = Ledger.outcome(of: error) { guest.live { $0.erasure = .not } }
            throw error
        }
    }
}
