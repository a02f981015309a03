import FoundationEssentials
import GatewayService
import HTTPTypes
import Testing
import WireProtocol

/// Holds the document to the route table, and the table to the document.
@Suite struct OpenAPITests {
    struct Document: Decodable {
        var openapi: String
        var paths: [String: [String: Operation]]
        var components: Components
    }
    struct Operation: Decodable {
        var operationId: String
        var security: [[String: [String]]]
        var parameters: [Reference]?
        var requestBody: Body?
        var responses: [String: Answer]
    }
    struct Reference: Decodable {
        var ref: String
        enum CodingKeys: String, CodingKey { case ref = "$ref" }
    }
    struct Body: Decodable { var content: [String: Ignored] }
    struct Answer: Decodable {
        var ref: String?
        var headers: [String: Ignored]?
        enum CodingKeys: String, CodingKey {
            case ref = "$ref"
            case headers
        }
    }
    struct Ignored: Decodable {}
    struct Components: Decodable {
        var schemas: [String: Schema]
        var responses: [String: Ignored]
        var parameters: [String: Parameter]
        var headers: [String: Ignored]
    }
    struct Schema: Decodable {
        var properties: [String: Ignored]?
        var required: [String]?
        var values: [String]?
        enum CodingKeys: String, CodingKey {
            case properties
            case required
            case values = "enum"
        }
    }
    struct Parameter: Decodable {
        var name: String
        var `in`: String
    }

    let bytes: [UInt8]
    let document: Document

    init() throws {
        bytes = try APIDocument.served.get()
        document = try WireJSON.decode(from: bytes)
    }

    private func described(_ route: APIRoute) -> Operation? {
        document.paths[route.path]?[route.method.rawValue.lowercased()]
    }

    @Test func every_route_is_described_and_nothing_else_is() {
        let routes = Set(APIRoute.all.map { "\($0.method.rawValue.lowercased()) \($0.path) \($0.operation)" })
        let described = Set(
            document.paths.flatMap { path, methods in
                methods.map { "\($0.key) \(path) \($0.value.operationId)" }
            })
        #expect(routes == described)
        #expect(routes.count == APIRoute.all.count)
    }

    @Test(arguments: APIRoute.all.indices) func a_route_does_what_is_described(index: Int) throws {
        let route = APIRoute.all[index]
        let operation = try #require(described(route))
        #expect(operation.responses["\(route.success.code)"] != nil)
        switch route.session {
        case .required: #expect(!operation.security.isEmpty && !operation.security.contains([:]))
        case .optional: #expect(operation.security.contains([:]) && operation.security.count > 1)
        case .none: #expect(operation.security.isEmpty)
        }
        let types = Set(operation.requestBody.map { Array($0.content.keys) } ?? [])
        switch route.body {
        case .none: #expect(types.isEmpty)
        case .json: #expect(types == ["application/json"])
        case .photo: #expect(types == ["multipart/form-data", "image/*"])
        }
        let parameters = (operation.parameters ?? []).compactMap {
            document.components.parameters[String($0.ref.split(separator: "/").last!)]
        }
        let inPath = route.path.split(separator: "/").filter { $0.hasPrefix("{") }.map {
            String($0.dropFirst().dropLast())
        }
        #expect(parameters.filter { $0.in == "path" }.map(\.name) == inPath)
        #expect(parameters.contains { $0.name == "Idempotency-Key" } == (route.method != .get))
        #expect(parameters.contains { $0.name == "cursor" } == route.isPaged)
    }

    /// Which answers every call of a kind may get.
    @Test(arguments: APIRoute.all.indices) func the_answers_that_may_come_are_described(index: Int) throws {
        let route = APIRoute.all[index]
        let statuses = Set(try #require(described(route)).responses.keys)
        var expected: Set = ["429", "500"]
        if route.session != .none { expected.insert("401") }
        if route.session == .required, route.method != .get { expected.insert("403") }
        if route.body != .none { expected.formUnion(["400", "408", "413", "415", "422"]) }
        if route.path.contains("{") { expected.formUnion(["400", "404"]) }
        if route.path != "/v1/about", route.path != "/v1/openapi.json" { expected.insert("503") }
        // What is long or has no end has no version.
        let isOnce = ["/v1/stream", "/v1/me/export/archive"].contains(route.path)
        if route.method == .get, route.success == .ok, !isOnce { expected.insert("304") }
        #expect(expected.subtracting(statuses).isEmpty)
    }

    /// A service reads whole numbers of 64 bits. A larger one is malformed to it, so the document must not allow it.
    @Test func every_integer_of_a_request_has_bounds() throws {
        let whole = try OrderedJSON(bytes)
        let components = try #require(whole["components"])
        var (count, unbounded, seen): (Int, [String], Set<String>) = (0, [], [])
        func look(at part: OrderedJSON, _ path: String) {
            if let name = part["$ref"]?.text?.split(separator: "/").last.map(String.init), seen.insert(name).inserted {
                look(at: components["schemas"]?[name] ?? .null, name)
            }
            let type = part["type"]
            if type?.text == "integer" || type?.items.contains("integer") == true {
                count += 1
                let isBounded = part["enum"] != nil || (part["minimum"] != nil && part["maximum"] != nil)
                if !isBounded { unbounded.append(path) }
            }
            for member in part.members where !member.name.hasPrefix("example") {
                look(at: member.value, "\(path).\(member.name)")
            }
            for item in part.items { look(at: item, path) }
        }
        for operation in whole["paths"]?.members.flatMap(\.value.members) ?? [] {
            look(at: operation.value["requestBody"] ?? .null, operation.value["operationId"]?.text ?? "")
        }
        for parameter in components["parameters"]?.members ?? [] { look(at: parameter.value, parameter.name) }
        #expect(count > 20)
        #expect(unbounded.isEmpty)
    }

    @Test func everything_that_is_referred_to_is_there() throws {
        let known = Set(
            document.components.schemas.keys.map { "#/components/schemas/\($0)" }
                + document.components.responses.keys.map { "#/components/responses/\($0)" }
                + document.components.parameters.keys.map { "#/components/parameters/\($0)" }
                + document.components.headers.keys.map { "#/components/headers/\($0)" })
        let text = String(decoding: bytes, as: UTF8.self)
        let references = text.split(separator: "\"").filter { $0.hasPrefix("#/components/") }.map(String.init)
        #expect(references.count > 50)
        #expect(Set(references).subtracting(known).isEmpty)
        let unused = known.subtracting(references)
        #expect(unused.isEmpty)
    }
}
