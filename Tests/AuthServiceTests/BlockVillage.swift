import DurableMessaging
import Foundation
import Postgres
import TestKit
import WireProtocol

@testable import AuthService

/// People who block each other, and what they ask of auth.
struct BlockVillage {
    let auth: AuthBench

    func three() async throws -> (PersonID, PersonID, PersonID) {
        let people = try await auth.newcomers(3)
        return (people[0], people[1], people[2])
    }

    // MARK: Commands

    @discardableResult
    func block(_ one: PersonID, _ other: PersonID, id: UUID = .version7()) async throws -> BlockedPerson {
        try await auth.call(AuthMethods.block, PersonReference(id: other), Nothing(), as: Caller(person: one), id: id)
    }

    @discardableResult
    func unblock(_ one: PersonID, _ other: PersonID) async throws -> Nothing {
        try await auth.call(AuthMethods.unblock, PersonReference(id: other), Nothing(), as: Caller(person: one))
    }

    func press(_ one: PersonID, _ other: PersonID) async throws -> Friend {
        try await auth.call(AuthMethods.befriend, PersonReference(id: other), Nothing(), as: Caller(person: one))
    }

    func befriend(_ one: PersonID, _ other: PersonID) async throws {
        _ = try await press(one, other)
        _ = try await press(other, one)
    }

    // MARK: Queries

    func person(_ id: PersonID, as viewer: PersonID?) async throws -> Person {
        try await auth.call(AuthMethods.person, PersonReference(id: id), Nothing(), as: Caller(person: viewer))
    }

    func state(_ one: PersonID, _ other: PersonID) async throws -> FriendState {
        try await auth.call(AuthMethods.friend, PersonReference(id: other), Nothing(), as: Caller(person: one)).state
    }

    func list(_ person: PersonID, limit: Int? = nil) async throws -> [BlockedPerson] {
        var (found, cursor): ([BlockedPerson], String?) = ([], nil)
        repeat {
            let page = try await auth.call(
                AuthMethods.blocks, BlockQuery(limit: limit, cursor: cursor), Nothing(), as: Caller(person: person))
            found += page.items
            cursor = page.next
        } while cursor != nil
        return found
    }

    func apart(_ person: PersonID, limit: Int = ApartQuery.largest) async throws -> [PersonID] {
        var (found, cursor): ([PersonID], String?) = ([], nil)
        repeat {
            let page = try await auth.call(
                AuthMethods.apart, ApartQuery(after: found.last, limit: limit), Nothing(), as: Caller(person: person))
            found += page.items
            cursor = page.next
        } while cursor != nil
        return found
    }

    func pairs(limit: Int) async throws -> [BlockedPair] {
        var (found, cursor): ([BlockedPair], String?) = ([], nil)
        repeat {
            let page = try await auth.call(
                AuthMethods.blockedPairs, BlockedPairsQuery(after: found.last, limit: limit), Nothing())
            found += page.items
            cursor = page.next
        } while cursor != nil
        return found
    }

    /// What one hears who asks for another in each way that there is; nil where it is answered.
    func refusals(_ one: PersonID, of other: PersonID) async throws -> [ErrorCode?] {
        try await answers(one, of: other).map { $0?.code }
    }

    func words(_ one: PersonID, of other: PersonID) async throws -> [String] {
        try await answers(one, of: other).compactMap { $0?.detail }
    }

    private func answers(_ one: PersonID, of other: PersonID) async throws -> [ServiceError?] {
        [
            try await refusal { try await person(other, as: one) },
            try await refusal { try await state(one, other) },
            try await refusal {
                try await auth.call(
                    AuthMethods.mutualFriends, MutualFriendsQuery(id: other), Nothing(), as: Caller(person: one))
            },
            try await refusal { try await press(one, other) },
        ]
    }
}
