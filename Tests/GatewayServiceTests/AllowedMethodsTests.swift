import HTTPTypes
import Testing

@testable import GatewayService

@Suite struct AllowedMethodsTests {
    private let methods = AllowedMethods([
        ("/v1/sessions/{id}", .delete), ("/v1/sessions/refresh", .post), ("/v1/rentals/{id}", .get),
        ("/v1/rentals/{id}/{act}", .post), ("/v1/rentals/{id}/contact", .get), ("/assets/**", .get),
    ])

    @Test(arguments: [
        ("/v1/sessions/refresh", ["POST"]), ("/v1/sessions/1", ["DELETE"]), ("/v1/rentals/1/contact", ["GET", "HEAD"]),
        ("/v1/rentals/1/accept", ["POST"]), ("/v1/rentals/1", ["GET", "HEAD"]), ("/assets/1/2", ["GET", "HEAD"]),
        ("/v1/rentals", []),
    ])
    func are_those_of_the_route_that_the_router_takes(path: String, expected: [String]) {
        #expect(methods.methods(at: path) == expected)
    }
}
