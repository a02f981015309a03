import Foundation
public import WireProtocol

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

extension KampongClient {
    /// What happens, as it happens (`GET /v1/stream`). Reconnects by itself and resumes after the last event that was seen,
    /// so that nothing is missed and nothing comes twice; an event `resync` says where that cannot be (an id is good for 15 minutes): load anew
    /// what you show. Ends when the consuming task is cancelled or the session is over.
    public func events(after lastEventID: String? = nil, in box: BoundingBox? = nil) -> AsyncThrowingStream<
        StreamEvent, any Error
    > {
        AsyncThrowingStream { continuation in
            let task = Task {
                var last = lastEventID
                var pause = Duration.milliseconds(100)
                while !Task.isCancelled {
                    let token = await self.vault.tokens?.accessToken
                    do {
                        for try await message in self.connection(as: token, after: last, in: box) {
                            pause = .milliseconds(100)
                            switch message {
                            case .position(let position): last = position.isEmpty ? last : position
                            case .event(let event):
                                last = event.id
                                continuation.yield(event)
                            }
                        }
                    } catch let problem as Problem where problem.status == 401 && token != nil {
                        // An access token lives for minutes. Only who has asked for another one knows whether the session is over: auth may
                        // be away just now.
                        do { _ = try await self.vault.refresh(insteadOf: token) } catch let end as Problem
                            where end.status == 401
                        {
                            return continuation.finish(throwing: problem)
                        } catch {}
                    } catch let problem as Problem where problem.status < 500 && problem.status != 429 {
                        return continuation.finish(throwing: problem)
                    } catch is CancellationError {
                        return continuation.finish()
                    } catch {}  // the line was cut: resume
                    do { try await Task.sleep(for: pause) } catch { break }
                    pause = min(pause * 2, .seconds(5))
                }
                continuation.finish()
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// One connection of the stream: ends, or throws, when that is cut. Its first message is the position from which on nothing is
    /// missed. Most callers want ``events(after:in:)``.
    public func connection(after lastEventID: String? = nil, in box: BoundingBox? = nil) -> AsyncThrowingStream<
        StreamMessage, any Error
    > {
        AsyncThrowingStream { continuation in
            let task = Task {
                do {
                    let token = await self.vault.tokens?.accessToken
                    for try await message in self.connection(as: token, after: lastEventID, in: box) {
                        continuation.yield(message)
                    }
                    continuation.finish()
                } catch { continuation.finish(throwing: error) }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    private func connection(
        as token: String?, after lastEventID: String?, in box: BoundingBox?
    ) -> AsyncThrowingStream<StreamMessage, any Error> {
        AsyncThrowingStream { continuation in
            // Before there can be a line: it may be opened at once, and has to be cut when the stream ends.
            let line = CutLine()
            continuation.onTermination = { _ in line.cut() }
            Task {
                let query = box.map {
                    [URLQueryItem(name: "bbox", value: "\($0.west),\($0.south),\($0.east),\($0.north)")]
                }
                var request = self.transport.request(.get, "v1/stream", query: query ?? [])
                request.authorize(token)
                request.setValue("text/event-stream", forHTTPHeaderField: "Accept")
                if let lastEventID { request.setValue(lastEventID, forHTTPHeaderField: "Last-Event-ID") }
                line.open(
                    StreamDelegate.open(
                        request, lastEventID: lastEventID ?? "", like: self.transport.session.configuration,
                        into: continuation))
            }
        }
    }
}

extension StreamMessage {
    /// A heartbeat comes as an event because browsers hide anything else from scripts; it is a position and no more.
    fileprivate var withoutBeat: StreamMessage {
        if case .event(let event) = self, event.name == "beat" { return .position(event.id) }
        return self
    }
}

/// Receives a stream's bytes as they come: `URLSession.bytes` does not exist on Linux.
///
/// Unchecked, because `URLSession` calls its delegate on one serial queue, and nothing else touches the state.
private final class StreamDelegate: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private let continuation: AsyncThrowingStream<StreamMessage, any Error>.Continuation
    private var parser: EventStreamParser
    private var refusal: HTTPURLResponse?
    private var body = Data()

    private init(_ continuation: AsyncThrowingStream<StreamMessage, any Error>.Continuation, lastEventID: String) {
        self.continuation = continuation
        parser = EventStreamParser(lastID: lastEventID)
    }

    /// Opens the line; calling what is returned closes it.
    static func open(
        _ request: URLRequest, lastEventID: String, like configuration: URLSessionConfiguration,
        into continuation: AsyncThrowingStream<StreamMessage, any Error>.Continuation
    ) -> @Sendable () -> Void {
        configuration.timeoutIntervalForRequest = 45  // three heartbeats
        let delegate = StreamDelegate(continuation, lastEventID: lastEventID)
        let session = URLSession(configuration: configuration, delegate: delegate, delegateQueue: nil)
        let task = session.dataTask(with: request)
        task.resume()
        return {
            task.cancel()
            session.invalidateAndCancel()
        }
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        if let response = response as? HTTPURLResponse, response.statusCode != 200 { refusal = response }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        if refusal != nil { return body.append(data) }
        for message in parser.consume(data) { continuation.yield(message.withoutBeat) }
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        if let refusal {
            continuation.finish(throwing: Transport.problem(in: body, of: refusal))
        } else {
            continuation.finish(throwing: error)
        }
    }
}
