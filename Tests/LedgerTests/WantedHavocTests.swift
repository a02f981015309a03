import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension LedgerTests {
    /// Hardly anything but what people look for and what they share, with two replicas of matching, while these, those who have what is looked for, and the
    /// database die and freeze.
    @Suite(LedgerTurn.searches.inTurn) struct WantedHavocTests {
        @Test func everybody_is_told_once_of_all_that_they_look_for_and_of_nothing_else() async throws {
            var options = LedgerRun.Options(seed: Wishes.seed)
            options.pause = 200...700
            try await Village.with({ $0.replicas = [.matching: 2] }, options: options, weights: Self.weights) {
                village in
                let hurt: Set<PeerRole> = [.matching, .listings, .rides, .notification]
                var havoc = Havoc(
                    village.stack.members.filter { hurt.contains($0.role) }.map { .member($0, of: village.stack) }
                        + [.server(village.server)], seed: Wishes.seed)
                var done: [String] = []
                let settled = try await village.run.load { done = try await havoc.run(for: Wishes.searches) }
                print("ledger: \(done.count) faults: \(done.joined(separator: ", "))")
                try await lookAtEverything(in: village)
                try await village.expectNothingWrong(after: "\(Wishes.searches) of searches", settled)
                try await compareWithLists(in: village)
                try await report(village)
            }
        }

        /// Of all that people deal in, in the order of `Village.everything`.
        private static let weights = [0, 0, 0, 0, 0, 0, 0, 0, 1]

        private struct Left: Codable { var count: Int }

        /// What failed meanwhile is put off by up to a minute, and of what only one can have the last hear after two.
        private func lookAtEverything(in village: Village) async throws {
            let query = """
                SELECT (SELECT count(*) FROM matching.looks)
                    + (SELECT count(*) FROM matching.wanted WHERE state = 'live' AND NOT is_settled)
                    + (SELECT count(*) FROM matching.hits WHERE state = 'waiting') AS count
                """
            try await eventually("everything to be looked at, and everybody to be told", within: .seconds(240)) {
                let left = try await village.stack.rows(of: query, as: Left.self)
                if left.first?.count != 0 { try await Task.sleep(for: .milliseconds(500)) }
                return left.first?.count == 0
            }
        }

        private func report(_ village: Village) async throws {
            let evidence = try await village.run.evidence()
            let hits = try evidence.rows("hits", as: WantedHistory.Hit.self)
            let states = Dictionary(grouping: hits) { $0.state.rawValue }.sorted { $0.key < $1.key }.map {
                "\($0.value.count) \($0.key)"
            }
            let searches = try evidence.rows("searches", as: WantedHistory.Search.self)
            print("ledger: \(searches.count) searches, \(hits.count) to tell: \(states.joined(separator: ", "))")
            #expect(hits.contains { $0.state == .told }, "nobody was told of anything")
        }

        // MARK: Lists

        /// What each search has found, and is there, is what its person finds in the list of its vertical.
        private func compareWithLists(in village: Village) async throws {
            var looked = 0
            for entry in village.run.ledger.all {
                guard let join = entry.command as? JoinCommand, case .ok = entry.outcome else { continue }
                let client = KampongClient(baseURL: URL(string: village.stack.baseURL)!)
                _ = try await client.signIn(email: join.email, password: JoinCommand.password)
                let me = try await client.me().id
                for wanted in try await client.allWanted(WantedListQuery(limit: 100)).items where wanted.state == .live
                {
                    let listed = try await listed(wanted.query, by: client, me)
                    let found = try await finds(wanted.id, of: client)
                    #expect(found == listed, "wanted/\(wanted.id) of \(me), \(wanted.query)")
                    looked += 1
                }
                client.close()
            }
            print("ledger: \(looked) searches were held against lists")
            #expect(looked > 0)
        }

        private func finds(_ id: WantedID, of client: KampongClient) async throws -> Set<Subject> {
            try await all { cursor in
                let page = try await client.wantedFinds(WantedFindQuery(id: id, limit: 100, cursor: cursor))
                return (page.items.compactMap(subject), page.next)
            }
        }

        private func subject(_ find: WantedFind) -> Subject? {
            find.spot.map { Subject($0.id) } ?? find.thing.map { Subject($0.id) } ?? find.ride.map { Subject($0.id) }
                ?? find.deliverer.map { Subject($0.deliverer.id) }
        }

        /// But for what is the person's own.
        private func listed(_ query: WantedQuery, by client: KampongClient, _ me: PersonID) async throws -> Set<Subject>
        {
            try await all { cursor in
                if let spots = query.spots, let near = spots.near {
                    let page = try await client.spots(near: near, radius: spots.radius, limit: 100, cursor: cursor)
                    return (page.items.filter { $0.postedBy.id != me }.map { Subject($0.id) }, page.next)
                }
                if var things = query.things {
                    (things.limit, things.cursor) = (100, cursor)
                    let page = try await client.things(things)
                    return (page.items.filter { $0.owner.id != me }.map { Subject($0.id) }, page.next)
                }
                if var rides = query.rides {
                    (rides.limit, rides.cursor) = (100, cursor)
                    let page = try await client.searchRides(rides)
                    let others = page.items.map(\.ride).filter { $0.driver.id != me }
                    return (others.map { Subject($0.id) }, page.next)
                }
                let restaurant = try #require(query.deliverers?.restaurant)
                let page = try await client.deliverers(
                    DelivererQuery(restaurant: restaurant, limit: 100, cursor: cursor))
                return (page.items.filter { $0.person.id != me }.map { Subject($0.id) }, page.next)
            }
        }

        /// All pages of a list.
        private func all(
            _ page: (_ cursor: String?) async throws -> (items: [Subject], next: String?)
        ) async throws -> Set<Subject> {
            var (found, cursor): (Set<Subject>, String?) = ([], nil)
            repeat {
                let answer = try await page(cursor)
                found.formUnion(answer.items)
                cursor = answer.next
            } while cursor != nil
            return found
        }
    }
}
