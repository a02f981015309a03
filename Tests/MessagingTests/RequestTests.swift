import FoundationEssentials
import Reactor
import Synchronization
import TestKit
import Testing
import WireProtocol
import ZeroMQ

@testable import Messaging

/// A call and its answer, where all is well.
@Suite(.timeLimit(.minutes(1))) struct RequestTests {
    @Test func anAnswerComesBackWithWhatTheHandlerWasTold() async throws {
        try await withTown { town in
            let contexts = Mutex<[RequestContext]>([])
            var router = RequestRouter(service: "auth")
            router.on(Ask.echo) { parameters, body, context in
                contexts.withLock { $0.append(context) }
                return Note(parameters.text + body.text)
            }
            let client = try town.client(of: try await town.serve(router).endpoint)
            let (id, caller) = (UUID.version7(), Caller(person: .new(), roles: [.moderator]))
            let reply = try await client.call(Ask.echo, Note("a"), Note("ö"), as: caller, id: id)
            #expect(reply == Note("aö"))
            let context = try #require(contexts.withLock { $0.first })
            #expect(context.id == id && context.caller == caller && context.peer == .gateway)
            #expect(context.method == "auth.echo")
            #expect(abs(context.deadline.timeIntervalSinceNow - 5) < 2)
            #expect(String(decoding: context.content, as: UTF8.self).contains("auth.echo"))
        }
    }

    @Test func theContentTellsParametersFromBody() throws {
        func content(_ parameters: String, _ body: String) -> [UInt8] {
            let request = RequestEnvelope(
                id: UUID(), method: "auth.echo", deadline: Date(), caller: .anonymous,
                parameters: Array(parameters.utf8),
                body: Array(body.utf8))
            return RequestContext(request, from: .gateway).content
        }
        #expect(content("ab", "c") != content("a", "bc"))
        #expect(content("ab", "c") == content("ab", "c"))
    }

    @Test func handlersStayOnTheReactorsThread() async throws {
        try await withTown { town in
            let context = try town.context(.auth)
            let reactor = context.reactor
            var router = RequestRouter(service: "auth")
            router.on(Ask.look) { _, _, _ in
                let before = reactor.isOnThread
                try await Task.sleep(for: .milliseconds(5))
                let after = reactor.isOnThread
                let away = try await reactor.blocking { reactor.isOnThread }
                return Note("\(before) \(after) \(away) \(reactor.isOnThread)")
            }
            let client = try town.client(of: try await town.serve(router, in: context).endpoint)
            #expect(try await client.call(Ask.look, Nothing(), Nothing()) == Note("true true false true"))
        }
    }

    @Test func refusalsCrossTheWireAndOtherErrorsDoNot() async throws {
        struct Secret: Error { var password = "hunter2" }
        try await withTown { town in
            var router = RequestRouter(service: "auth")
            let refusal = ServiceError(
                .alreadyClaimed, "Somebody was faster.", errors: [FieldError("a.b", "c", "d")], retryAfter: 3)
            router.on(Ask.echo) { _, _, _ in throw refusal }
            router.on(Ask.look) { _, _, _ in throw Secret() }
            let client = try town.client(of: try await town.serve(router).endpoint)
            #expect(await failure { _ = try await client.call(Ask.echo, Note(""), Note("")) } == refusal)
            let hidden = await failure { _ = try await client.call(Ask.look, Nothing(), Nothing()) }
            #expect(hidden?.code == .internalError)
            #expect(hidden?.detail.contains("hunter2") == false)
        }
    }

    @Test func bytesAndTagPassAsTheyAre() async throws {
        try await withTown { town in
            var router = RequestRouter(service: "auth")
            router.onTagged(Ask.echo) { _, body, _ in Tagged(body, tag: "v7") }
            let client = try town.client(of: try await town.serve(router).endpoint)
            let reply = try await client.forward(
                Ask.echo, Note(""), body: Array(#"{ "text" : "x" }"#.utf8), as: .anonymous, id: UUID(),
                deadline: Date(timeIntervalSinceNow: 5))
            #expect(reply == RawReply(bytes: Array(#"{"text":"x"}"#.utf8), tag: "v7"))
            let broken = await failure {
                _ = try await client.forward(
                    Ask.echo, Note(""), body: Array("{".utf8), as: .anonymous, id: UUID(),
                    deadline: Date(timeIntervalSinceNow: 5))
            }
            #expect(broken?.code == .malformed)
        }
    }

    @Test func sixtyFourAtOnceGetEachItsOwnAnswer() async throws {
        try await withTown { town in
            let gauge = Gauge()
            var router = RequestRouter(service: "auth")
            router.on(Ask.echo) { _, body, _ in
                gauge.enter()
                defer { gauge.leave() }
                try await Task.sleep(for: .milliseconds(Int.random(in: 20...60)))
                return body
            }
            let client = try town.client(of: try await town.serve(router).endpoint)
            try await withThrowingTaskGroup { group in
                for number in 0..<64 {
                    group.addTask {
                        for turn in 0..<5 {
                            let note = Note("\(number) \(turn)")
                            let deadline = Date(timeIntervalSinceNow: 30)
                            let reply = try await client.call(Ask.echo, Note(""), note, deadline: deadline)
                            #expect(reply == note)
                        }
                    }
                }
                try await group.waitForAll()
            }
            // More where an answer took so long that it was asked for again.
            #expect(gauge.total >= 320)
            #expect(gauge.most > 8)
        }
    }

    @Test func theSameRequestTwiceAtOnceIsHandledOnceAndAnsweredTwice() async throws {
        try await withTown { town in
            let (gauge, barrier) = (Gauge(), Barrier())
            var router = RequestRouter(service: "auth")
            router.on(Ask.echo) { _, body, _ in
                gauge.enter()
                try await barrier.pass()
                return body
            }
            let client = try town.client(of: try await town.serve(router).endpoint)
            let ping = CommonMethods(service: "auth").ping
            _ = try await client.call(ping, Nothing(), Nothing())
            let id = UUID.version7()
            async let first = client.call(Ask.echo, Note(""), Note("same"), id: id)
            async let second = client.call(Ask.echo, Note(""), Note("same"), id: id)
            // The same key with another content is another request, and must not get the answer of the first.
            async let third = client.call(Ask.echo, Note(""), Note("other"), id: id)
            let other = Caller(person: .new())
            async let fourth = client.call(Ask.echo, Note(""), Note("same"), as: other, id: id)
            try await eventually("three of them to run") { gauge.total >= 3 }
            // Each has been sent again by now, since nothing was answered.
            try await Task.sleep(for: ServiceLink.retryDelay.first * 1.5)
            // What was sent before this has arrived when this is answered.
            _ = try await client.call(ping, Nothing(), Nothing())
            #expect(gauge.total == 3)
            barrier.open()
            let replies = try await [first, second, third, fourth]
            #expect(replies == [Note("same"), Note("same"), Note("other"), Note("same")])
        }
    }

    @Test func namesOfSeveralAddressesShareTheWork() async throws {
        try await withTown { town in
            let context = try town.context(.auth)
            func router(_ name: String) -> RequestRouter {
                var router = RequestRouter(service: "auth")
                router.on(Ask.look) { _, _, _ in Note(name) }
                return router
            }
            let first = try await town.serve(router("first"), in: context)
            let port = first.endpoint.split(separator: ":").last!
            _ = try await town.serve(router("second"), at: "tcp://127.0.0.2:\(port)", in: context)
            let client = try town.client(of: "tcp://auth.town:\(port)") { endpoint in
                // A third address where nobody is: nothing may wait for it.
                Set((1...3).map { endpoint.description.replacing("auth.town", with: "127.0.0.\($0)") })
            }
            var counts: [String: Int] = [:]
            try await eventually("answers of both") {
                counts[try await client.call(Ask.look, Nothing(), Nothing()).text, default: 0] += 1
                return counts.count == 2
            }
            counts = [:]
            let start = ContinuousClock.now
            for _ in 0..<40 { counts[try await client.call(Ask.look, Nothing(), Nothing()).text, default: 0] += 1 }
            #expect(counts["first", default: 0] >= 15 && counts["second", default: 0] >= 15)
            // A third of them would have to be sent again, after half a second each.
            #expect(ContinuousClock.now - start < .seconds(6))
        }
    }
}
