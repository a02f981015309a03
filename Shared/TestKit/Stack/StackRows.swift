import WireProtocol

extension Stack {
    /// What a query answers, read as the superuser and past all of the services' code. Local stacks only.
    /// - Parameter query: as `SELECT id, state FROM listings.rentals`.
    package func rows<Row: Decodable>(of query: String, as type: Row.Type = Row.self) async throws -> [Row] {
        let reader = try LedgerReader(url: try databaseURL(), services: [])
        do {
            let rows = try await reader.rows(["rows": query])["rows"] ?? []
            await reader.close()
            return try rows.map { try WireJSON.decode(Row.self, from: Array($0.utf8)) }
        } catch {
            await reader.close()
            throw error
        }
    }
}
