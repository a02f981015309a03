import FoundationEssentials
package import Messaging
package import WireProtocol

extension RequestClient {
    /// Asks auth for somebody's telephone number. Nil where they have given none.
    package func phone(of person: PersonID) async throws -> String? {
        try await call(
            AuthMethods.phones, PhonesQuery(people: [person]), Nothing(), deadline: Date() + 2
        ).items.first?.phone
    }
}
