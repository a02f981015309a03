import HTTPTypes
package import Hummingbird
import Logging
import NIOCore
package import WireProtocol

/// Turns whatever was thrown into an answer: problem+json, or a page for browsers outside `/v1`. What is not a refusal of ours
/// is logged and hidden.
package struct Problems: Sendable {
    /// Makes a page of a problem, or nil.
    package typealias PageMaker = @Sendable (Problem, Request, GatewayContext) async -> Response?

    private let allowed: AllowedMethods
    private let page: PageMaker

    package init(allowed: AllowedMethods, page: @escaping PageMaker) {
        self.allowed = allowed
        self.page = page
    }

    package func answer(_ error: any Error, to request: Request, _ context: GatewayContext) async -> Response {
        let error = Self.refusal(error, for: request, context, allowed)
        let problem = ProblemStatus.problem(error)
        var response =
            Self.wantsPage(request) ? await page(problem, request, context) ?? Self.json(problem) : Self.json(problem)
        if let seconds = ProblemStatus.retryAfter(error) { response.headers[.retryAfter] = String(seconds) }
        if problem.status == 401, request.uri.path.hasPrefix("/v1/") {
            let came = request.headers[.authorization] != nil
            response.headers[.wwwAuthenticate] = "Bearer realm=\"kampong\"" + (came ? ", error=\"invalid_token\"" : "")
        }
        if error.code == .methodNotAllowed {
            response.headers[.allow] = allowed.methods(at: request.uri.path).joined(separator: ", ")
        }
        response.headers[.cacheControl] = "no-store"
        return response
    }

    static func wantsPage(_ request: Request) -> Bool {
        let path = request.uri.path
        // Browsers are sent through these two; whoever stands there is a person.
        if IdentityDoor.isPassedByBrowsers(path) { return request.headers[.accept]?.contains("text/html") ?? false }
        guard !path.hasPrefix("/v1/"), path != "/v1", !path.hasPrefix("/photos/") else { return false }
        return request.headers[.accept]?.contains("text/html") ?? false
    }

    package static func json(_ problem: Problem) -> Response {
        let body = (try? WireJSON.encode(problem)) ?? []
        return Response(
            status: .init(code: problem.status), headers: [.contentType: "application/problem+json"],
            body: .init(byteBuffer: ByteBuffer(bytes: body)))
    }

    /// What the one who asked may know of an error.
    static func refusal(
        _ error: any Error, for request: Request, _ context: GatewayContext, _ allowed: AllowedMethods
    ) -> ServiceError {
        switch error {
        case let error as ServiceError:
            if error.code == .internalError {
                context.logger.error("a service failed", metadata: ["trace": "\(context.trace)"])
            }
            return error
        case let error as HTTPError where error.status == .notFound:
            guard allowed.methods(at: request.uri.path).isEmpty else {
                return ServiceError(.methodNotAllowed, "\(request.method) is not possible here.")
            }
            return ServiceError(.notFound, "There is nothing at this address.")
        case let error as any HTTPResponseError where error.status.kind == .clientError:
            return error.status == .contentTooLarge
                ? ServiceError(.tooLarge, "The body is too large.")
                : ServiceError(.malformed, "The request cannot be read.")
        case is CancellationError:
            // What changes something may be on the bus already, and be done.
            return [.get, .head].contains(request.method)
                ? ServiceError(.unavailable, "The server is stopping. Try again.", retryAfter: 1)
                : ServiceError(
                    .outcomeUnknown,
                    "The server is stopping; it may have been done or not. Send the same request again.",
                    retryAfter: 1)
        default:
            context.logger.error(
                "request failed",
                // By its pattern: what stands in an address may be a right, as that of a calendar is.
                metadata: [
                    "error": "\(error)", "path": "\(context.endpointPath ?? "none")", "trace": "\(context.trace)",
                ])
            return ServiceError(.internalError, "Something went wrong on our side. It has been noted.")
        }
    }
}

/// Which methods each address answers, for `Allow`.
package struct AllowedMethods: Sendable {
    private let routes: [(segments: [Substring], method: String)]

    package init(_ routes: [(path: String, method: HTTPRequest.Method)]) {
        self.routes = routes.map { ($0.path.split(separator: "/"), $0.method.rawValue) }
    }

    package func methods(at path: String) -> [String] {
        let segments = path.split(separator: "/")
        let matching = routes.filter { Self.matches($0.segments, segments) }
        // Where a part of an address is written out, the router looks no further: `/v1/sessions/refresh` is no session's id, and
        // `/v1/rentals/{id}/contact` nothing that one does to a rental.
        let nearest = matching.map { Self.writtenOut($0.segments) }.max()
        var found = Set(matching.filter { Self.writtenOut($0.segments) == nearest }.map(\.method))
        if found.contains("GET") { found.insert("HEAD") }
        return found.sorted()
    }

    /// Of two patterns for one address the router takes the one for which this is the larger text.
    private static func writtenOut(_ pattern: [Substring]) -> String {
        String(pattern.map { isPlaceholder($0) ? "0" : "1" })
    }

    private static func isPlaceholder(_ part: Substring) -> Bool {
        part.hasPrefix("{") || part.hasPrefix(":") || part.hasPrefix("*")
    }

    private static func matches(_ pattern: [Substring], _ path: [Substring]) -> Bool {
        if pattern.last == "**" {
            return path.count >= pattern.count - 1
                && matches(Array(pattern.dropLast()), Array(path.prefix(pattern.count - 1)))
        }
        guard pattern.count == path.count else { return false }
        return zip(pattern, path).allSatisfy { part, segment in
            part == segment || isPlaceholder(part)
        }
    }
}
