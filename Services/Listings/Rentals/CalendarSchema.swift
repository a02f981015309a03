import People

extension ListingsSchema {
    /// What was last read of each entry of somebody's calendar elsewhere, so that it can be said when that changed and how often.
    static let calendarEntries = """
        CREATE TABLE calendar_entries (
            person uuid NOT NULL,
            rental uuid NOT NULL REFERENCES rentals ON DELETE CASCADE,
            content text NOT NULL,
            sequence integer NOT NULL DEFAULT 0 CHECK (sequence >= 0),
            changed_at timestamptz NOT NULL,
            PRIMARY KEY (person, rental)
        );
        CREATE INDEX calendar_entries_of_rental ON calendar_entries (rental);
        \(PeopleErasure.guarding("calendar_entries", columns: ["person"]))
        """

    /// Calendars have what is not over for long, and of a person's past nothing else is read.
    static let agreementsByEnd = """
        CREATE INDEX rentals_of_owner_by_end ON rentals (owner, ends_at);
        CREATE INDEX rentals_of_renter_by_end ON rentals (renter, ends_at);
        """
}
