import People

// The table of what people want brought, in the schema `matching`.

extension MatchingSchema {
    /// `door` and `pick_up_code` are sealed. `areas` are those in which somebody may be who brings it, `restaurants` those from which alone it may come:
    /// none where it may come from any of the circle `around`.
    static let orders = """
        CREATE TABLE orders (
            id uuid PRIMARY KEY,
            orderer uuid NOT NULL,
            placed_at timestamptz NOT NULL,
            state text NOT NULL CHECK (state IN ('waiting', 'asking', 'offered', 'matched', 'completed', 'cancelled', 'lapsed')),
            wanted jsonb NOT NULL CHECK (jsonb_typeof(wanted) = 'array' AND jsonb_array_length(wanted) <= 20),
            around jsonb,
            \(place("drop", id: "drop_place"))
            door bytea,
            fee bigint CHECK (fee > 0),
            spend_limit bigint CHECK (spend_limit >= 0),
            currency text,
            paid_by text NOT NULL CHECK (paid_by IN ('cash', 'credits')),
            is_prepaid boolean NOT NULL,
            pick_up_code bytea,
            asked uuid,
            rolls_on boolean NOT NULL,
            waits_until timestamptz NOT NULL,
            changed_at timestamptz NOT NULL,
            areas bigint[] NOT NULL,
            restaurants uuid[] NOT NULL,
            campus text,
            due_at timestamptz,
            CHECK ((spend_limit IS NULL) = is_prepaid),
            CHECK (pick_up_code IS NULL OR is_prepaid),
            CHECK ((num_nonnulls(fee, spend_limit) > 0) = (currency IS NOT NULL)),
            CHECK (around IS NULL OR cardinality(restaurants) = 0),
            CHECK ((due_at IS NOT NULL) = (state IN ('waiting', 'asking')))
        );
        \(PeopleErasure.guarding("orders", columns: ["orderer"]))
        \(campus(of: "orders", "orderer", where: "state IN ('waiting', 'asking', 'offered', 'matched')"))
        """
}
