import HTTPTypes

/// What the document says of one call.
///
/// A fragment has its `summary`, `description`, the names of its `parameters` but for those that follow from the route, the schema of its
/// `requestBody` with an `example`, its `answer`, and in `responses` what else it answers than others of its kind: the name of an answer of the
/// frame, an answer of its own, or null for what does not come.
struct APIOperation {
    let route: APIRoute
    /// What its fragment says.
    let own: OrderedJSON
    let tag: OrderedJSON

    var described: OrderedJSON {
        var operation: OrderedJSON = ["operationId": .text(route.operation)]
        operation.set("summary", own["summary"])
        operation.set("tags", .array([tag]))
        operation.set("description", own["description"])
        operation.set("security", security)
        operation.set("parameters", parameters)
        operation.set("requestBody", requestBody)
        operation.set("responses", responses)
        return operation
    }

    private var security: OrderedJSON {
        let nobody: OrderedJSON = [:]
        let known: [OrderedJSON] = [["bearer": []], ["cookie": []]]
        switch route.session {
        case .required: return .array(known)
        case .optional: return .array([nobody] + known)
        case .none: return []
        }
    }

    private var parameters: OrderedJSON {
        let inPath = route.segmentsToFill.map { String($0.prefix(1)).uppercased() + String($0.dropFirst()) }
        var names = own["inPath"]?.names ?? inPath
        names += own["parameters"]?.names ?? []
        if route.isPaged, !names.contains("Cursor") { names += ["Limit", "Cursor"] }
        if route.hasVersion { names.append("IfNoneMatch") }
        if route.isChange { names.append("IdempotencyKey") }
        if route.isChange, route.session != .none { names.append("CSRF") }
        return .array(names.map { OrderedJSON.reference(to: "parameters", $0) })
    }

    private var requestBody: OrderedJSON? {
        guard let body = own["requestBody"], body.text != nil else { return own["requestBody"] }
        return ["required": true, "content": Self.content(body, as: "application/json", example: own["example"])]
    }

    private var responses: OrderedJSON {
        var found: [String: OrderedJSON] = [:]
        for (status, name) in route.refusals(asked: own["parameters"] != nil || route.isPaged) {
            found["\(status)"] = .text(name)
        }
        found["\(route.success.code)"] = own["answer"]
        for other in own["responses"]?.members ?? [] { found[other.name] = other.value }
        var headers: OrderedJSON = ["X-Request-Id": "RequestId", "Cache-Control": "CacheControl"]
        if route.hasVersion { headers.set("ETag", "ETag") }
        var responses: OrderedJSON = [:]
        for (status, said) in found.sorted(by: { $0.key < $1.key }) where said != .null {
            if let name = said.text {
                responses.set(status, .reference(to: "responses", name))
            } else {
                responses.set(status, Self.answer(said, as: "application/json", with: headers))
            }
        }
        return responses
    }

    /// An answer with its headers, those first that others of its kind have, and with links that name their calls.
    static func answer(_ own: OrderedJSON, as type: String, with common: OrderedJSON) -> OrderedJSON {
        var headers: OrderedJSON = [:]
        for header in common.members + (own["headers"]?.members ?? []) {
            headers.set(header.name, .reference(to: "headers", header.value.text ?? ""))
        }
        let links = own["links"]?.members.map { link in
            OrderedJSON.Member(
                link.name, .object([OrderedJSON.Member("operationId", .text(link.name))] + link.value.members))
        }
        var answer: OrderedJSON = [:]
        answer.set("description", own["description"])
        answer.set("headers", headers)
        answer.set("content", own["content"].map { content($0, as: type) })
        answer.set("links", links.map { OrderedJSON.object($0) })
        return answer
    }

    /// A schema by its name, as one type of media; or what is said of several.
    private static func content(
        _ said: OrderedJSON, as type: String, example: OrderedJSON? = nil
    ) -> OrderedJSON {
        guard let schema = said.text else { return said }
        var media: OrderedJSON = ["schema": .reference(to: "schemas", schema)]
        media.set("example", example)
        return .object([OrderedJSON.Member(type, media)])
    }
}

extension OrderedJSON {
    fileprivate var names: [String] { items.compactMap(\.text) }

    static func reference(to kind: String, _ name: String) -> OrderedJSON {
        ["$ref": .text("#/components/\(kind)/\(name)")]
    }
}

// MARK: What calls of a kind have in common

extension APIRoute {
    var isChange: Bool { method != .get }

    /// Of `/v1/rentals/{id}/{act}`: `id` and `act`.
    var segmentsToFill: [String] {
        path.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
    }

    /// Whether it may be asked for again by `If-None-Match`; what is long or has no end may not.
    var hasVersion: Bool {
        switch answer {
        case .gateway(.stream), .gateway(.archive): false
        default: method == .get && success == .ok
        }
    }

    /// The answers of the frame that this call may get: their status and their name.
    /// - Parameter asked: whether its query has parameters.
    func refusals(asked: Bool) -> [(Int, String)] {
        let (isInPath, hasBody) = (!segmentsToFill.isEmpty, body != .none)
        var names: [(Int, String)] = [(429, "TooManyRequests"), (500, "InternalError")]
        if hasVersion { names.append((304, "NotModified")) }
        if isChange || asked || isInPath { names.append((400, "Malformed")) }
        if session != .none { names.append((401, "Unauthenticated")) }
        if session != .none, isChange || !isForSuspended { names.append((403, "Forbidden")) }
        if isInPath { names.append((404, "NotFound")) }
        if hasBody { names += [(408, "TooSlow"), (413, "TooLarge"), (415, "UnsupportedMediaType")] }
        if hasBody || asked { names.append((422, "Invalid")) }
        switch answer {
        case .service:
            if isChange { names.append((409, "Conflict")) }
            names.append((503, "Unavailable"))
        case .gateway(.about), .gateway(.document): break
        case .gateway: names.append((503, "Unavailable"))
        }
        return names
    }
}
