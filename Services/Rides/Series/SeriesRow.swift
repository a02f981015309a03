import DurableMessaging
import FoundationEssentials
import Postgres
import WireProtocol

// A series as a row of the table `ride_series`, in both directions.

extension OfferedSeries {
    static let columns: SQLQuery = """
        id, driver, posted_at, draft, weekdays, first_day, last_day, skips, duplicates, ended_at
        """

    init(_ row: PostgresRow) throws {
        let weekdays: [String] = try row.get("weekdays")
        self.init(
            id: try row.get("id"), driver: try row.get("driver"), postedAt: try row.get("posted_at"),
            draft: try row.get("draft", as: JSON<RideDraft>.self).value,
            plan: SeriesPlan(
                weekdays: Set(try weekdays.map { try Weekday.stored($0) }), first: try CivilDay(row, "first_day"),
                last: try CivilDay(row, "last_day"), skips: try CivilDay.all(row, "skips")),
            duplicates: try CivilDay.all(row, "duplicates"), endedAt: try row.get("ended_at"))
    }

    func insertion(due dueAt: Date?) -> SQLQuery {
        """
        INSERT INTO ride_series (\(Self.columns), due_at, doors_until)
        VALUES (\(id), \(driver), \(postedAt), \(JSON(draft)), \(plan.weekdays.inOrder.map(\.rawValue)),
            \(plan.first.text)::text::date, \(plan.last.text)::text::date, \(CivilDay.texts(plan.skips))::text[]::date[],
            \(CivilDay.texts(duplicates))::text[]::date[], \(endedAt), \(dueAt), \(doorsUntil))
        """
    }

    /// Writes all that can change.
    func update(due dueAt: Date?) -> SQLQuery {
        """
        UPDATE ride_series
        SET draft = \(JSON(draft)), weekdays = \(plan.weekdays.inOrder.map(\.rawValue)),
            last_day = \(plan.last.text)::text::date, skips = \(CivilDay.texts(plan.skips))::text[]::date[],
            duplicates = \(CivilDay.texts(duplicates))::text[]::date[], ended_at = \(endedAt), due_at = \(dueAt),
            doors_until = CASE WHEN doors_until IS NOT NULL THEN \(doorsUntil) END
        WHERE id = \(id)
        """
    }
}

extension CivilDay {
    init(_ row: PostgresRow, _ column: String) throws {
        self = try Self.stored(row.get(column))
    }

    fileprivate static func all(_ row: PostgresRow, _ column: String) throws -> Set<CivilDay> {
        Set(try row.get(column, as: [String].self).map(stored))
    }

    fileprivate static func texts(_ days: Set<CivilDay>) -> [String] { days.sorted().map(\.text) }

    private static func stored(_ text: String) throws -> CivilDay {
        guard let day = CivilDay(text) else {
            throw PostgresError(.unexpectedValue, debugDetail: "\(text) is no day")
        }
        return day
    }
}
