extension ListingsSchema {
    /// What is searched for is cut into words where what is searched is: by the same function, in the database.
    ///
    /// Words bear their kind (`car:jazz`), so that the planner knows how many cars have one, and not how many things: for a word that only cars have it
    /// would look through all spaces for the newest. Scripts that put no blanks between words (Han, kana, Thai, Lao, Burmese, Khmer) are searched
    /// by letters. What has no letter or digit is no word.
    static let words = """
        DROP INDEX things_words, things_beginnings;
        ALTER TABLE things DROP COLUMN words;

        CREATE FUNCTION thing_terms(said text) RETURNS SETOF text LANGUAGE sql IMMUTABLE PARALLEL SAFE BEGIN ATOMIC
            SELECT DISTINCT left(term, 64)
            FROM regexp_split_to_table(
                regexp_replace(
                    lower(said), '([\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF\\u3040-\\u30FF\\u3400-\\u9FFF])', ' \\1 ', 'g'),
                '[^[:alnum:]]+') AS term
            WHERE term <> '';
        END;

        CREATE FUNCTION thing_words(kind text, said text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE BEGIN ATOMIC
            SELECT coalesce(array_to_tsvector(array_agg(kind || ':' || term)), '') FROM thing_terms(said) AS term;
        END;

        CREATE FUNCTION thing_search(kinds text[], said text, is_letter boolean) RETURNS tsquery
        LANGUAGE sql IMMUTABLE PARALLEL SAFE BEGIN ATOMIC
            SELECT string_agg(
                '(' || (SELECT string_agg(quote_literal(kind || ':' || term) || ':*', '|') FROM unnest(kinds) AS kind) || ')',
                '&')::tsquery
            FROM thing_terms(said) AS term WHERE (term ~ '^[a-z]$') = is_letter;
        END;

        ALTER TABLE things ADD COLUMN words tsvector NOT NULL
            GENERATED ALWAYS AS (thing_words(kind, title || ' ' || coalesce(description, ''))) STORED;
        ALTER TABLE things ALTER words SET STATISTICS 1000;
        CREATE INDEX things_words ON things USING gin (words) WHERE listed;
        ANALYZE things;
        """
}
