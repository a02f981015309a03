import GatewayService
import Testing

/// How the document is put together from fragments and routes.
@Suite struct APIDocumentTests {
    @Test func every_fragment_is_part_of_the_document() throws {
        let resources = GatewayResources()
        let frame = try OrderedJSON(try #require(resources.read("OpenAPI/document.json")))
        let areas = try #require(frame["areas"]).items.compactMap(\.text)
        #expect(Set((areas + ["document"]).map { "\($0).json" }) == Set(resources.files(in: "OpenAPI")))
        #expect(areas.count == Set(areas).count)
    }

    @Test func nothing_has_two_members_of_one_name() throws {
        let resources = GatewayResources()
        for file in resources.files(in: "OpenAPI") {
            let fragment = try OrderedJSON(try #require(resources.read("OpenAPI/\(file)")))
            #expect(Self.repeated(in: fragment).isEmpty, "\(file)")
        }
        let document = try OrderedJSON(try APIDocument.served.get())
        #expect(Self.repeated(in: document).isEmpty)
    }

    private static func repeated(in json: OrderedJSON) -> [String] {
        let names = json.members.map(\.name)
        let here = names.filter { name in names.filter { $0 == name }.count > 1 }
        let values = json.members.map(\.value) + json.items
        return here + values.flatMap { repeated(in: $0) }
    }

    @Test func a_change_has_what_changes_have() throws {
        let one = try described(
            "unfriend", ["summary": "Stop.", "parameters": ["FriendIf"], "answer": ["description": "Done."]])
        let security: OrderedJSON = [["bearer": []], ["cookie": []]]
        #expect(one["security"] == security)
        #expect(names(one["parameters"]) == ["Id", "FriendIf", "IdempotencyKey", "CSRF"])
        let answers = try #require(one["responses"])
        let statuses = ["204", "400", "401", "403", "404", "409", "422", "429", "500", "503"]
        #expect(answers.members.map(\.name) == statuses)
        #expect(answers["409"] == reference("responses", "Conflict"))
        let done: OrderedJSON = [
            "description": "Done.",
            "headers": [
                "X-Request-Id": reference("headers", "RequestId"),
                "Cache-Control": reference("headers", "CacheControl"),
            ],
        ]
        #expect(answers["204"] == done)
        #expect(one.members.map(\.name) == ["operationId", "summary", "tags", "security", "parameters", "responses"])
    }

    @Test func a_list_has_what_lists_have() throws {
        let one = try described(
            "listBlocks", ["summary": "Whom one blocked.", "answer": ["description": "All.", "content": "BlockPage"]])
        #expect(names(one["parameters"]) == ["Limit", "Cursor", "IfNoneMatch"])
        let answers = try #require(one["responses"])
        #expect(answers["304"] == reference("responses", "NotModified"))
        #expect(answers["422"] == reference("responses", "Invalid"))
        #expect(answers["200"]?["headers"]?["ETag"] == reference("headers", "ETag"))
        let content: OrderedJSON = ["application/json": ["schema": reference("schemas", "BlockPage")]]
        #expect(answers["200"]?["content"] == content)
    }

    @Test func a_body_is_a_schema_with_its_example() throws {
        let example: OrderedJSON = ["email": "a@b"]
        let one = try described(
            "signIn",
            ["summary": "Come in.", "requestBody": "SignIn", "example": example, "answer": ["description": ""]])
        let media: OrderedJSON = ["schema": reference("schemas", "SignIn"), "example": example]
        let body: OrderedJSON = ["required": true, "content": ["application/json": media]]
        #expect(one["requestBody"] == body)
        let nobody: OrderedJSON = []
        #expect(one["security"] == nobody)
        #expect(one["responses"]?["401"] == nil)
        #expect(one["responses"]?["413"] == reference("responses", "TooLarge"))
    }

    @Test func a_fragment_adds_answers_and_takes_them_away() throws {
        let link: OrderedJSON = ["description": "It.", "parameters": ["id": "$response.body#/id"]]
        let one = try described(
            "postSpot",
            [
                "summary": "Share.",
                "answer": ["description": "Shared.", "links": ["getSpot": link]],
                "responses": ["404": "NotFound", "409": .null, "431": ["description": "Much."]],
            ])
        let answers = try #require(one["responses"])
        #expect(answers["404"] == reference("responses", "NotFound"))
        #expect(answers["409"] == nil)
        let much: OrderedJSON = "Much."
        #expect(answers["431"]?["description"] == much)
        let linked: OrderedJSON = [
            "operationId": "getSpot", "description": "It.", "parameters": ["id": "$response.body#/id"],
        ]
        #expect(answers["201"]?["links"]?["getSpot"] == linked)
    }

    @Test func kinds_are_described_once() throws {
        let area: OrderedJSON = [
            "tag": "Renting",
            "kinds": [
                ["Name": "Car", "thing": "car", "draft": ["doors": "4"], "links": ["getCar": [:]]],
                ["Name": "Space", "thing": "space", "draft": [:], "links": .null],
            ],
            "operations": [
                "post{Name}": [
                    "summary": "Share a {thing}, {thing} by {other}", "requestBody": "{Name}Draft",
                    "example": "{draft}", "answer": ["description": "", "links": "{links}"],
                ]
            ],
        ]
        let document = try APIDocument.assembled([:], [area], APIRoute.all)
        let paths = try #require(document["paths"])
        #expect(paths.members.map(\.name) == ["/v1/cars", "/v1/spaces"])
        let car = try #require(paths["/v1/cars"]?["post"])
        let space = try #require(paths["/v1/spaces"]?["post"])
        #expect(car["summary"]?.text == "Share a car, car by {other}")
        #expect(space["summary"]?.text == "Share a space, space by {other}")
        let media = car["requestBody"]?["content"]?["application/json"]
        let draft: OrderedJSON = ["doors": "4"]
        #expect(media?["example"] == draft)
        #expect(media?["schema"] == reference("schemas", "CarDraft"))
        #expect(car["responses"]?["201"]?["links"] != nil && space["responses"]?["201"]?["links"] == nil)
    }

    @Test func pages_and_problems_are_made_of_their_names() throws {
        let frame: OrderedJSON = ["problems": ["Away": ["description": "Away.", "headers": ["Retry-After": "Wait"]]]]
        let area: OrderedJSON = ["pages": ["Spot"]]
        let document = try APIDocument.assembled(frame, [area], [])
        let components = try #require(document["components"])
        let page: OrderedJSON = [
            "type": "object", "required": ["items", "next"],
            "properties": [
                "items": ["type": "array", "items": reference("schemas", "Spot")],
                "next": reference("schemas", "Cursor"),
            ],
        ]
        #expect(components["schemas"]?["SpotPage"] == page)
        let away: OrderedJSON = [
            "description": "Away.",
            "headers": [
                "X-Request-Id": reference("headers", "RequestId"), "Retry-After": reference("headers", "Wait"),
            ],
            "content": ["application/problem+json": ["schema": reference("schemas", "Problem")]],
        ]
        #expect(components["responses"]?["Away"] == away)
    }

    @Test func what_no_route_does_and_what_is_described_twice_is_refused() {
        let unknown: OrderedJSON = ["operations": ["fly": [:]]]
        let about: OrderedJSON = ["operations": ["getAbout": ["answer": ["description": ""]]]]
        for areas in [[unknown], [about, about]] {
            #expect(throws: APIDocument.Trouble.self) { try APIDocument.assembled([:], areas, APIRoute.all) }
        }
    }

    private func described(_ operation: String, _ own: OrderedJSON) throws -> OrderedJSON {
        let operations = OrderedJSON.object([OrderedJSON.Member(operation, own)])
        let document = try APIDocument.assembled([:], [["tag": "Tag", "operations": operations]], APIRoute.all)
        return try #require(document["paths"]?.members.first?.value.members.first?.value)
    }

    private func names(_ parameters: OrderedJSON?) -> [String] {
        (parameters?.items ?? []).compactMap { $0["$ref"]?.text?.split(separator: "/").last.map(String.init) }
    }

    private func reference(_ kind: String, _ name: String) -> OrderedJSON {
        ["$ref": .text("#/components/\(kind)/\(name)")]
    }
}

@Suite struct OrderedJSONTests {
    @Test func order_and_spelling_stay() throws {
        let text = #"""
            {
              "b": [
                1.50,
                -2E3,
                null
              ],
              "a\"": {},
              "c": [],
              "d": "{\u00e9]é\\"
            }

            """#
        #expect(try OrderedJSON(Array(text.utf8)).bytes == Array(text.utf8))
        let tight = try OrderedJSON(Array(#" { "a" : [ true,"b" ] } "#.utf8))
        let said: OrderedJSON = ["a": [true, "b"]]
        #expect(tight == said)
    }

    @Test(arguments: ["", "{", "[1,]", "[,1]", "[1 2]", "{\"a\" 1}", "{1:2}", "{} {}", "\"a", "\"a\\", "]", "{\"a\":}"])
    func what_is_no_json_is_refused(text: String) {
        #expect(throws: OrderedJSON.Unreadable.self) { try OrderedJSON(Array(text.utf8)) }
    }

    @Test func a_member_that_is_null_is_not_there() {
        var one: OrderedJSON = ["a": .null, "b": "c"]
        #expect(one["a"] == nil && one["b"]?.text == "c" && one["d"] == nil)
        one.set("b", "e")
        one.set("d", nil)
        one.set("f", true)
        let set: OrderedJSON = ["a": .null, "b": "e", "f": true]
        #expect(one == set)
    }
}
