import HTTPTypes
package import Hummingbird
import Logging
import NIOCore
import WireProtocol

/// `GET /v1/stream`: the shell around `StreamRelay` and `StreamCursor` that writes to a connection.
package struct StreamEndpoint: Sendable {
    static let path = "/v1/stream"

    private let relay: StreamRelay
    private let backend: any Backend
    /// Batches that one listener may have fetched before it is told to load anew instead.
    private static let mostBatches = 20
    private static let batch = 500

    package init(relay: StreamRelay, backend: any Backend) {
        self.relay = relay
        self.backend = backend
    }

    package func respond(to request: Request, _ context: GatewayContext) async throws -> Response {
        var reader = ParameterReader(path: context.parameters, query: request.uri.query)
        let (box, given) = try reader.read { ($0.box("bbox"), $0.text("lastEventId")) }
        let last = request.headers[Self.lastEventID] ?? given
        let reading = last.flatMap { $0.isEmpty ? nil : relay.ids.read($0) }
        var start: Start?
        if case .resume(let positions, let since) = reading { start = (positions, since) }
        let (from, isLost) = (start, reading == .refuse)
        let apart = try await relay.blocks.follow(context.caller, asking: backend)
        let audience = StreamAudience(person: context.caller.person, box: box, apart: apart)
        let channel = context.channel
        let opening = try relay.open(
            StreamRequest(
                audience: audience, session: context.caller.session, expiry: context.sessionExpiry,
                address: context.remoteAddress, last: from?.positions, isLost: isLost,
                cut: { channel.close(promise: nil) }))
        let cursor = StreamCursor(from: from, relay: opening.mark, audience: audience, ids: relay.ids)
        let resumes = from != nil
        let logger = context.logger
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream", .cacheControl: "no-store",
                HTTPField.Name("X-Accel-Buffering")!: "no",
            ],
            body: .init { writer in
                // Not by reading on, which takes two more tasks for each who listens.
                channel.triggerUserOutboundEvent(EndlessAnswer(), promise: nil)
                channel.closeFuture.whenComplete { [weak ticket = opening.ticket] _ in ticket?.close() }
                try await write(opening, cursor, resumes: resumes, isLost, to: &writer, logger)
                withExtendedLifetime(opening.ticket) {}
            })
    }

    private typealias Start = (positions: StreamPositions, since: Int)
    private static let lastEventID = HTTPField.Name("Last-Event-ID")!

    @concurrent private func write(
        _ opening: StreamOpening, _ begun: StreamCursor, resumes: Bool, _ isLost: Bool,
        to writer: inout any ResponseBodyWriter, _ logger: Logger
    ) async throws {
        var cursor = begun
        try await writer.write(cursor.opening())
        do {
            if isLost || !opening.missed.isEmpty { try await catchUp(opening, isLost, &cursor, &writer) }
            // From here on nothing is missing: who is cut off now has the whole time again to come back.
            if resumes { try await writer.write(cursor.beat(opening.mark)) }
            for await signal in opening.signals {
                if let frame = cursor.frame(of: signal) { try await writer.write(frame) }
            }
        } catch let error as ServiceError {
            logger.info("a stream could not be resumed", metadata: ["code": "\(error.code.rawValue)"])
            try await writer.write(StreamText.end(.unavailable))
        }
        try await writer.finish(nil)
    }

    @concurrent private func catchUp(
        _ opening: StreamOpening, _ isLost: Bool, _ cursor: inout StreamCursor, _ writer: inout any ResponseBodyWriter
    ) async throws {
        let relayed = opening.mark.positions
        if isLost {
            for name in relayed.places.keys.sorted() { try await writer.write(cursor.resync(name, relayed)) }
        }
        for (publisher, missed) in opening.missed.sorted(by: { $0.key < $1.key }) {
            try await catchUp(missed, of: publisher, opening, &cursor, &writer)
        }
    }

    @concurrent private func catchUp(
        _ missed: StreamLog.Resume, of publisher: String, _ opening: StreamOpening, _ cursor: inout StreamCursor,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        guard let head = opening.mark.positions[publisher] else { return }
        switch missed {
        case .upToDate: return
        case .lost: return try await writer.write(cursor.resync(publisher, opening.mark.positions))
        case .replay(let items): try await replay(items, head, &cursor, &writer)
        case .fetch(let after, let through, let items):
            guard try await fetch(publisher, after, through, head, &cursor, &writer) else {
                return try await writer.write(cursor.resync(publisher, opening.mark.positions))
            }
            try await replay(items, head, &cursor, &writer)
        }
        cursor.caughtUp(with: publisher, at: head)
    }

    @concurrent private func replay(
        _ items: [StreamItem], _ head: StreamPositions.Place, _ cursor: inout StreamCursor,
        _ writer: inout any ResponseBodyWriter
    ) async throws {
        for item in items {
            let place = StreamPositions.Place(short: head.epoch, position: item.position)
            if let frame = cursor.replay(item.header, of: item.publisher, at: place, item.frame) {
                try await writer.write(frame)
            }
        }
    }

    /// Gets from the publisher what is older than what the relay keeps.
    /// - Returns: false where that cannot be had any more.
    @concurrent private func fetch(
        _ publisher: String, _ after: Int64, _ through: Int64, _ head: StreamPositions.Place,
        _ cursor: inout StreamCursor, _ writer: inout any ResponseBodyWriter
    ) async throws -> Bool {
        guard let epoch = relay.epoch(of: publisher), StreamPositions.Place.short(epoch) == head.epoch else {
            return false
        }
        var position = after
        for _ in 0..<Self.mostBatches where position < through {
            let limit = min(Self.batch, Int(through - position))
            let batch: EventBatch
            do {
                batch = try await backend.call(
                    CommonMethods(service: publisher).eventsSince,
                    EventsSince(epoch: epoch, position: position, limit: limit), Nothing())
            } catch let error as ServiceError where error.code == .eventsGone { return false }
            guard batch.epoch == epoch, !batch.events.isEmpty else { return false }
            for event in batch.events where event.position <= through {
                guard event.position == position + 1 else { return false }
                position = event.position
                let frame = cursor.replay(
                    event.header, of: publisher, at: .init(short: head.epoch, position: position),
                    StreamText.event(event.header.type, event.payload.utf8))
                if let frame { try await writer.write(frame) }
            }
        }
        return position >= through
    }
}
