import FoundationEssentials
import GatewayService
import HTTPTypes
import Testing
import WireProtocol

@Suite struct IdempotencyTests {
    @Test func a_key_makes_one_id_for_a_person_and_another_for_another() throws {
        let (maya, ben) = (Caller(person: .new()), Caller(person: .new()))
        let headers: HTTPFields = [Idempotency.header: "abc"]
        let id = try Idempotency.requestID(headers, caller: maya)
        #expect(try Idempotency.requestID(headers, caller: maya) == id)
        #expect(try Idempotency.requestID(headers, caller: ben) != id)
        #expect(try Idempotency.requestID([Idempotency.header: "abd"], caller: maya) != id)
        // The session does not count: a retry may come after a new sign-in.
        #expect(try Idempotency.requestID(headers, caller: Caller(person: maya.person, session: .new())) == id)
        #expect(Frame.uuid(id)[6] >> 4 == 8)
    }

    @Test func strangers_share_keys_that_nobody_can_guess_and_no_others() throws {
        let (here, there) = (Caller(address: "192.0.2.1"), Caller(address: "192.0.2.2"))
        func id(_ key: String, _ caller: Caller) throws -> UUID {
            try Idempotency.requestID([Idempotency.header: key], caller: caller)
        }
        #expect(try id("1", here) == id("1", here))
        #expect(try id("1", here) != id("1", there))
        let key = UUID.version7().uuidString
        // From another network it is still the same command.
        #expect(try id(key, here) == id(key, there))
    }

    @Test func a_forms_key_makes_one_id_for_each_thing_that_it_does() throws {
        let maya = Caller(person: .new())
        func id(_ act: String, _ caller: Caller) throws -> UUID {
            try Idempotency.requestID(form: "a-key", doing: act, caller: caller)
        }
        #expect(try id("there", maya) == id("there", maya))
        #expect(try id("there", maya) != id("gone", maya))
        #expect(try id("there", maya) != id("there", Caller(person: .new())))
        #expect(try id("there", maya) != Idempotency.requestID([Idempotency.header: "a-key"], caller: maya))
    }

    @Test func without_a_key_every_request_is_its_own() throws {
        let ids = try (0..<100).map { _ in try Idempotency.requestID([:], caller: .anonymous) }
        #expect(Set(ids).count == 100)
    }

    @Test(arguments: [
        ("a", true), (String(repeating: "k", count: 255), true), ("", false),
        (String(repeating: "k", count: 256), false), ("two words", false),
    ])
    func a_key_is_visible_and_not_too_long(key: String, isGood: Bool) async throws {
        try await TestDoor.run { door async throws in
            door.backend.on("listings.postSpot") { _ in ServiceReply(body: Array("{}".utf8)) }
            let answer = try await door.json("POST", "/v1/spots", "{}", [door.bearer(), ("Idempotency-Key", key)])
            #expect(answer.status == (isGood ? 201 : 400))
            if !isGood { #expect(try answer.problem().errors.first?.field == "Idempotency-Key") }
        }
    }

    @Test func the_same_key_reaches_the_service_as_the_same_id() async throws {
        try await TestDoor.run { door async throws in
            let header = door.bearer()
            for key in ["one", "one", "two"] {
                _ = try await door.json("POST", "/v1/spots", "{}", [header, ("Idempotency-Key", key)])
            }
            let ids = door.backend.asked.map(\.id)
            #expect(ids[0] == ids[1])
            #expect(ids[0] != ids[2])
        }
    }
}

@Suite struct RateLimitTests {
    @Test func tokens_are_spent_and_come_back() {
        var buckets = TokenBuckets<Int>(perMinute: 60, burst: 3)
        #expect((0..<3).allSatisfy { _ in buckets.take(1, at: 0) == nil })
        #expect(buckets.take(1, at: 0) == 1)
        #expect(buckets.take(2, at: 0) == nil)
        #expect(buckets.take(1, at: 0.5) == 0.5)
        #expect(buckets.take(1, at: 1) == nil)
        #expect(buckets.take(1, at: 1) != nil)
        #expect(buckets.take(1, at: 1000) == nil)
    }

    @Test func a_flood_of_keys_neither_grows_the_table_nor_frees_the_one_who_is_held_back() {
        var buckets = TokenBuckets<Int>(perMinute: 1, burst: 2, capacity: 100)
        while buckets.take(-1, at: 0) == nil {}
        for key in 0..<10_000 {
            _ = buckets.take(key, at: 0)
            #expect(buckets.count <= 100)
        }
        #expect(buckets.take(-1, at: 0) != nil)
    }

    @Test func people_are_limited_apart_and_told_when_to_come_back() async throws {
        var options = TestDoor.Options()
        options.limits = [.write: 2]
        try await TestDoor.run(options) { door async throws in
            door.backend.on("listings.claimSpot") { _ in ServiceReply(body: Array("{}".utf8)) }
            let (maya, ben) = (door.bearer(), door.bearer())
            for expected in [200, 200, 429] {
                let answer = try await door.send("POST", SessionTests.path, [maya])
                #expect(answer.status == expected)
                if expected == 429 { #expect((1...31).contains(Int(answer["Retry-After"] ?? "") ?? 0)) }
            }
            #expect(try await door.send("POST", SessionTests.path, [ben]).status == 200)
            #expect(try await door.get("/v1/about").status == 200)
        }
    }

    @Test func sign_ins_are_limited_by_address() async throws {
        var options = TestDoor.Options()
        options.limits = [.signIn: 1]
        try await TestDoor.run(options) { door async throws in
            #expect(try await door.json("POST", "/v1/sessions", "{}").status == 503)
            #expect(try await door.json("POST", "/v1/accounts", "{}").status == 429)
        }
    }
}

@Suite struct TrustedProxyTests {
    @Test(arguments: [
        ([], "10.0.0.1", ["1.2.3.4"], "10.0.0.1"),
        (["10.0.0.0/8"], "10.0.0.1", ["1.2.3.4"], "1.2.3.4"),
        (["10.0.0.0/8"], "10.0.0.1", ["6.6.6.6, 1.2.3.4, 10.1.1.1"], "1.2.3.4"),
        (["10.0.0.0/8"], "10.0.0.1", ["6.6.6.6", "1.2.3.4"], "1.2.3.4"),
        (["10.0.0.0/8"], "10.0.0.1", ["rubbish"], "10.0.0.1"),
        (["::1", "fd00::/8"], "::1", ["2001:db8::7"], "2001:db8::7"),
        (["10.0.0.0/8"], "::ffff:10.0.0.1", ["1.2.3.4"], "1.2.3.4"),
    ])
    func only_trusted_neighbours_are_believed(proxies: [String], peer: String, forwarded: [String], client: String)
        throws
    {
        #expect(try TrustedProxies(proxies).client(peer: peer, forwardedFor: forwarded) == client)
    }

    @Test(arguments: ["10.0.0.0/33", "+1.2.3.4", "::+1", "banana", "1.2.3", "::g", "1.2.3.4/x"])
    func what_is_no_network_is_named(entry: String) {
        #expect(throws: TrustedProxies.Unreadable(entry: entry)) { try TrustedProxies(["127.0.0.1", entry]) }
    }

    @Test func a_customer_of_ipv6_is_one_however_many_addresses_they_have() throws {
        let (one, two) = (try #require(IPAddress("2001:db8:1:2::1")), try #require(IPAddress("2001:db8:1:2:ffff::9")))
        #expect(one.customer == two.customer)
        #expect(try #require(IPAddress("2001:db8:1:3::1")).customer != one.customer)
    }
}
