import Foundation
import KampongClient
import TestKit
import Testing
import WireProtocol

extension StackTests {
    /// Those who seek, drivers and those who bring something, while what tells them of each other is killed.
    @Suite(.serialized, .onProcesses, .onlyOnOwnStack) struct SeekingTroubleTests {
        private static let victims: [PeerRole] = [.matching, .rides, .notification]

        @Test func whoever_is_killed_drivers_and_those_who_seek_hear_of_each_other_once() async throws {
            let ben = try await Community.newcomer("Ben")
            let (trip, key) = (Trip(in: 5 * 3600), UUID().uuidString)
            let eve = try await Community.newcomer("Eve")
            let eves = try await Seekers.seek(trip, eve)
            let ride = try await ben.postRide(trip.passingBy(seats: 4), key: key).id
            try await killed(.matching) { try await ben.postRide(trip.passingBy(seats: 4), key: key).id == ride }
            #expect(try await Searches.hears([Subject(ride)], eve))

            var seekers = [(client: eve, id: eves)]
            for victim in Self.victims {
                let (client, key) = (try await Community.newcomer("Ada"), UUID().uuidString)
                let id = try await Seekers.seek(trip, client, key: key)
                try await killed(victim) { try await Seekers.seek(trip, client, key: key) == id }
                seekers.append((client, id))
            }
            // Of a ride drivers are told of three who begin to seek, by one notice.
            #expect(try await Seekers.hears(["seekerFound/\(ride)"], ben))
            let all = Set(seekers.map(\.id))
            #expect(try await eventually { Set(try await Seekers.along(ride, of: ben)) == all })

            for (seeker, victim) in zip(seekers, [.gateway] + Self.victims) {
                let key = UUID().uuidString
                try await ben.inviteSeeker(seeker.id, to: ride, key: key)
                try await killed(victim) {
                    try await ben.inviteSeeker(seeker.id, to: ride, key: key)
                    return true
                }
            }
            for seeker in seekers { #expect(try await Seekers.hears(["rideInvited/\(ride)"], seeker.client)) }
            for seeker in seekers.dropFirst() { #expect(try await Searches.told(seeker.client).isEmpty) }
            #expect(try await Seekers.told(ben) == ["seekerFound/\(ride)"])
            #expect(try await Searches.hears([Subject(ride)], eve))
        }

        @Test func whoever_is_killed_those_who_wait_for_somebody_are_told_once() async throws {
            let stack = try await Community.stack
            let quarter = try await Quarter(on: stack)
            let ben = try await Community.newcomer("Ben")
            var waiting: [(client: KampongClient, listener: Listener)] = []
            for _ in 0..<3 {
                let client = try await Community.newcomer("Ada")
                _ = try await Searches.look(client, for: DelivererFoundTests.at(quarter))
                let listener = Listener(client)
                try await listener.connect()
                waiting.append((client, listener))
            }
            var begun: [Subject] = []
            for victim in [PeerRole.matching, .notification, .matching] {
                let key = UUID().uuidString
                let way = try await ben.offerDelivery(quarter.way(capacity: 2), key: key).id
                try await killed(victim) {
                    try await ben.offerDelivery(quarter.way(capacity: 2), key: key).id == way
                }
                begun.insert(Subject(way), at: 0)
                for (client, listener) in waiting {
                    #expect(try await Searches.hears(begun, client))
                    #expect(await eventually { listener.found(Subject(way)) > 0 })
                }
                try await ben.endDelivery()
                try await stack.kill(victim)
                try await stack.start(victim)
                for (client, listener) in waiting {
                    #expect(await eventually { listener.found(Subject(way), isGone: true) > 0 })
                    #expect(try await eventually { try await Searches.told(client, unread: true).isEmpty })
                }
            }
            #expect(Set(begun).count == 3)
            for (_, listener) in waiting {
                for subject in begun {
                    #expect(listener.found(subject) == 1 && listener.found(subject, isGone: true) == 1, "\(subject)")
                }
            }
        }

        /// Somebody is killed and comes back; what was asked for, asked for again as where the answer was lost, is what it was.
        private func killed(_ victim: PeerRole, _ isSame: () async throws -> Bool) async throws {
            let stack = try await Community.stack
            try await stack.kill(victim)
            try await stack.start(victim)
            let isAnswered = await eventually { (try? await isSame()) ?? false }
            #expect(isAnswered, "\(victim)")
        }
    }
}
