import HTTPTypes

/// The OpenAPI document of `/v1`: what each call has of its own is in the fragments in `OpenAPI/`, what calls have in common comes from the
/// route table.
///
/// `document.json` is the frame and names the other fragments in their order, one for each area. What a fragment says of a call, `APIOperation`
/// reads; its `schemas` and `parameters` go into the document as they are, and each of its `pages` is a list of that schema. `kinds` are words
/// with which its operations are said once for each of them.
package enum APIDocument {
    /// As it is served: put together once, from the fragments beside the executable.
    package static let served: Result<[UInt8], any Error> = Result {
        try assembled(from: GatewayResources(), APIRoute.all).bytes
    }

    /// What keeps fragments and table from becoming a document.
    package struct Trouble: Error, CustomStringConvertible {
        package let description: String
    }

    static func assembled(from resources: GatewayResources, _ routes: [APIRoute]) throws -> OrderedJSON {
        func fragment(_ name: String) throws -> OrderedJSON {
            guard let bytes = resources.read("OpenAPI/\(name).json") else {
                throw Trouble(description: "OpenAPI/\(name).json is not beside the executable")
            }
            do {
                return try OrderedJSON(bytes)
            } catch {
                throw Trouble(description: "OpenAPI/\(name).json: \(error)")
            }
        }
        let frame = try fragment("document")
        let names = frame["areas"]?.items.compactMap(\.text) ?? []
        return try assembled(frame, names.map { try fragment($0) }, routes)
    }

    package static func assembled(
        _ frame: OrderedJSON, _ areas: [OrderedJSON], _ routes: [APIRoute]
    ) throws -> OrderedJSON {
        var paths: OrderedJSON = [:]
        for area in areas {
            for own in operations(of: area) {
                guard let route = routes.first(where: { $0.operation == own.name }) else {
                    throw Trouble(description: "no route is called \(own.name)")
                }
                let operation = APIOperation(route: route, own: own.value, tag: area["tag"] ?? .null)
                let method = route.method.rawValue.lowercased()
                var path: OrderedJSON = paths[route.path] ?? [:]
                guard path[method] == nil else { throw Trouble(description: "\(own.name) is described twice") }
                path.set(method, operation.described)
                paths.set(route.path, path)
            }
        }
        var document: OrderedJSON = frame["document"] ?? [:]
        document.set("paths", paths)
        document.set("components", components(frame, areas))
        return document
    }

    private static func operations(of area: OrderedJSON) -> [OrderedJSON.Member] {
        let operations: OrderedJSON = area["operations"] ?? [:]
        guard let kinds = area["kinds"] else { return operations.members }
        return kinds.items.flatMap { operations.filled(with: $0.members).members }
    }

    private static func components(_ frame: OrderedJSON, _ areas: [OrderedJSON]) -> OrderedJSON {
        var schemas: [OrderedJSON.Member] = []
        var parameters: [OrderedJSON.Member] = []
        for part in [frame] + areas {
            schemas += part["schemas"]?.members ?? []
            for name in part["pages"]?.items.compactMap(\.text) ?? [] {
                schemas.append(OrderedJSON.Member("\(name)Page", page(of: name)))
            }
            parameters += part["parameters"]?.members ?? []
        }
        let none: OrderedJSON = [:]
        return [
            "schemas": .object(schemas), "responses": .object(answers(frame)), "parameters": .object(parameters),
            "headers": frame["headers"] ?? none, "securitySchemes": frame["securitySchemes"] ?? none,
        ]
    }

    /// The answers that calls of many kinds may get: a problem each, but for those that are none.
    private static func answers(_ frame: OrderedJSON) -> [OrderedJSON.Member] {
        let others = (frame["responses"]?.members ?? []).map { other in
            OrderedJSON.Member(other.name, APIOperation.answer(other.value, as: "", with: [:]))
        }
        let problems = (frame["problems"]?.members ?? []).map { problem in
            var own = problem.value
            own.set("content", "Problem")
            return OrderedJSON.Member(
                problem.name,
                APIOperation.answer(own, as: "application/problem+json", with: ["X-Request-Id": "RequestId"]))
        }
        return others + problems
    }

    private static func page(of schema: String) -> OrderedJSON {
        [
            "type": "object", "required": ["items", "next"],
            "properties": [
                "items": ["type": "array", "items": .reference(to: "schemas", schema)],
                "next": .reference(to: "schemas", "Cursor"),
            ],
        ]
    }
}
