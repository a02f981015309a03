import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

/// Gives accounts from before one domain had one way of writing it (`bücher.example`, `xn--bcher-kva.example`, `ｂüｃｈｅｒ.example`) the key that
/// their address has now: once for each rule, since it takes the secrets file. Their passwords are found as they were made
/// (`EmailAddress.earlier`).
struct AddressKeys: Sendable {
    let database: Database
    let fields: FieldSeal

    func settle(_ secrets: AuthSecrets) async throws {
        guard try await database.query("SELECT FROM address_keys").isEmpty else { return }
        try await database.transaction { [fields] transaction in
            try await transaction.query(.lock("address keys", "settling"))
            guard try await transaction.query("SELECT FROM address_keys").isEmpty else { return }
            try await Self.settleAccounts(transaction, secrets)
            try await Self.settleCampuses(transaction, fields, secrets)
            try await transaction.query("INSERT INTO address_keys DEFAULT VALUES")
        }
    }

    /// Where two have shown what is one address now, nobody knows whose it is: neither is written to until one shows it again. Who has shown
    /// nothing takes nothing from anybody.
    private static func settleAccounts(_ statements: any Statements, _ secrets: AuthSecrets) async throws {
        let rows = try await statements.query(
            """
            SELECT id, email, email_digest, email_verified_at IS NOT NULL AS shown FROM accounts
            WHERE octet_length(email) > char_length(email) ORDER BY id
            """)
        var contested: Set<[UInt8]> = []
        for row in rows {
            let (id, before): (UUID, [UInt8]) = (try row.get("id"), try row.get("email_digest"))
            let isShown: Bool = try row.get("shown")
            guard let email = EmailAddress(kept: try row.get("email")) else { continue }
            let digest = secrets.digest(of: email)
            guard digest != before else { continue }
            var loss: SQLQuery = ""
            if isShown {
                let others = try await statements.query(
                    """
                    UPDATE accounts SET email_verified_at = NULL, version = version + 1
                    WHERE email_digest = \(digest) AND email_verified_at IS NOT NULL
                    """
                ).affected
                if others > 0 { contested.insert(digest) }
                // The third of them finds nobody who still has it.
                if contested.contains(digest) { loss = ", email_verified_at = NULL" }
            }
            try await statements.query(
                "UPDATE accounts SET email_digest = \(digest), version = version + 1 \(loss) WHERE id = \(id)")
        }
    }

    /// Of two at one mailbox both stay where they belong, and the one who was there first has the key.
    private static func settleCampuses(
        _ statements: any Statements, _ fields: FieldSeal, _ secrets: AuthSecrets
    ) async throws {
        let rows = try await statements.query(
            """
            SELECT id, campus_address, campus_digest FROM accounts WHERE campus_address IS NOT NULL
            ORDER BY campus_since, id
            """)
        for row in rows {
            let (id, before): (UUID, [UInt8]) = (try row.get("id"), try row.get("campus_digest"))
            let sealed: [UInt8] = try row.get("campus_address")
            let address = try fields.open(sealed, field: PostgresVerificationStore.field, of: id)
            guard let email = EmailAddress(kept: address) else { continue }
            let digest = secrets.campusDigest(of: email)
            guard digest != before else { continue }
            try await statements.query(
                """
                UPDATE accounts SET campus_digest = \(digest)
                WHERE id = \(id) AND NOT EXISTS (SELECT FROM accounts WHERE campus_digest = \(digest))
                """)
        }
    }
}
