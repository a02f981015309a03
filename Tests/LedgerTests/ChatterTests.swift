import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension LedgerTests {
    /// Many rooms, people who are cut off, and what carries their words killed and frozen meanwhile.
    @Suite(LedgerTurn.chatter.inTurn) struct ChatterTests {
        /// What lies between two people who write to each other.
        private static let carriers: Set<PeerRole> = [.chat, .gateway, .notification]

        @Test func whoever_is_cut_off_and_whatever_dies_both_have_each_message_once_and_in_one_order() async throws {
            let chatter = ChatterSubject()
            var options = LedgerRun.Options(seed: Wishes.seed)
            options.people = Self.people(for: Wishes.rooms)
            options.listeners = 1
            let subjects: [any LedgerSubject] = [
                chatter, PeopleSubject(), BystanderSubject(service: .notification),
            ]
            try await Village.with(options: options, subjects: subjects, weights: [1]) { village in
                defer { for phone in chatter.phones.all { phone.stop() } }
                try await gather(chatter, in: village)
                let carriers = village.stack.members.filter { Self.carriers.contains($0.role) }
                var havoc = Havoc(
                    carriers.map { .member($0, of: village.stack) } + [.server(village.server)], seed: Wishes.seed)
                var done: [String] = []
                let settled = try await village.run.load { done = try await havoc.run(for: Wishes.chatter) }
                try await hearOut(chatter, in: village)
                let memories = chatter.phones.all.map(\.now)
                let (cuts, heard) = (memories.map(\.cuts).reduce(0, +), memories.map(\.heard.messages.count))
                print(
                    "ledger: \(done.count) faults: \(done.joined(separator: ", ")); \(memories.count) people in \(Wishes.rooms)"
                        + " rooms, cut off \(cuts) times, heard \(heard.reduce(0, +)) messages and saw"
                        + " \(memories.map(\.glances.count).reduce(0, +)) marks")
                #expect(!done.isEmpty && cuts > 0 && !heard.contains(0), "somebody was not hurt, or heard nothing")
                #expect(chatter.book.acknowledged.count > Wishes.rooms / 2)
                try await village.expectNothingWrong(after: "\(Wishes.rooms) rooms of people who are cut off", settled)
            }
        }

        /// How many people it takes for so many pairs.
        private static func people(for rooms: Int) -> Int { (2...).first { $0 * ($0 - 1) / 2 >= rooms }! }

        /// Everybody signs in on a second device; each two have a room, which one of them opens; and all devices hear.
        private func gather(_ chatter: ChatterSubject, in village: Village) async throws {
            var people: [PersonID] = []
            for entry in village.run.ledger.all {
                guard let join = entry.command as? JoinCommand, case .ok(let thing) = entry.outcome,
                    let person = PersonID(String(thing.dropFirst("person/".count)))
                else { continue }
                let urls = village.stack.baseURLs
                let client = KampongClient(baseURL: URL(string: urls[people.count % urls.count])!)
                chatter.phones.add(Phone(of: person, number: people.count, client: client), of: person)
                _ = try await client.signIn(email: join.email, password: JoinCommand.password)
                people.append(person)
            }
            try await openRooms(pairs(of: people).prefix(Wishes.rooms), chatter, in: village)
            for (number, person) in people.enumerated() {
                let seed = Wishes.seed &+ UInt64(number + 1) << 40
                chatter.phones[person]?.begin(beside: village.run.ledger, seed: seed)
            }
            try await eventually("every device to hear") {
                chatter.phones.all.allSatisfy(\.hasBegun)
            }
        }

        /// Each pair once; who of the two comes first takes turns.
        private func pairs(of people: [PersonID]) -> [(opener: PersonID, other: PersonID)] {
            people.indices.flatMap { first in
                people.indices.dropFirst(first + 1).map { second in
                    let isTurned = (first + second).isMultiple(of: 2)
                    return (opener: people[isTurned ? second : first], other: people[isTurned ? first : second])
                }
            }
        }

        private func openRooms(
            _ pairs: ArraySlice<(opener: PersonID, other: PersonID)>, _ chatter: ChatterSubject, in village: Village
        ) async throws {
            try await withThrowingTaskGroup(of: Void.self) { group in
                for (opener, pairs) in Dictionary(grouping: pairs, by: { $0.opener }) {
                    let commands: [any LedgerCommand] = pairs.map {
                        OpenRoomCommand(with: $0.other, book: chatter.book)
                    }
                    group.addTask {
                        guard await village.run.give(commands, as: opener) else {
                            throw TestSetupError("\(opener) could not open all of their rooms.")
                        }
                    }
                }
                try await group.waitForAll()
            }
        }

        private struct Due: Codable {
            var person: PersonID
            var count: Int
        }

        /// Nobody is cut off any more, and hears the rest; then everybody reads all their rooms. Who has not heard everything by then is
        /// found by the audit.
        private func hearOut(_ chatter: ChatterSubject, in village: Village) async throws {
            let phones = chatter.phones.all
            for phone in phones { phone.goHome() }
            let due = try await village.stack.rows(
                of: """
                    SELECT members.person, count(*) FROM chat.outbox
                    JOIN chat.members ON 'room/' || members.room::text = outbox.header->>'aggregate'
                    WHERE outbox.header->>'type' IN ('\(MessageSent.type)', '\(MessagesRead.type)')
                    GROUP BY members.person
                    """, as: Due.self)
            try? await eventually("everybody to have heard everything", within: .seconds(60)) {
                due.allSatisfy { chatter.phones[$0.person]?.eventCount ?? 0 >= $0.count }
            }
            try await withThrowingTaskGroup(of: Void.self) { group in
                for phone in phones {
                    group.addTask { try await phone.read(chatter.book.rooms(of: phone.person.id!)) }
                }
                try await group.waitForAll()
            }
        }
    }
}
