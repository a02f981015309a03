extension ListingsSchema {
    /// What is searched for is cut into words where what is searched is: by the same function, in the database.
    ///
    /// Words bear their kind (`car:jazz`), so that the planner knows how many cars have one, and not how many things: for a word that only cars have it
    /// would look through all spaces for the newest. Scripts that put no blanks between words (Han, kana, Thai, Lao, Burmese, Khmer) are searched
    /// by letters. What has no letter or digit is no word.
    static let words = """
        DROP INDEX things_words, things_beginnings;
        ALTER TABLE things DROP COLUMN words;

        CREATE FUNCTION thing_terms(said text) RETURNS TABLE (term text, place bigint) LANGUAGE sql IMMUTABLE PARALLEL SAFE BEGIN ATOMIC
            SELECT left(split.term, 64), max(split.place)
            FROM regexp_split_to_table(
                regexp_replace(
                    lower(said), '([\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF\\u3040-\\u30FF\\u3400-\\u9FFF])', ' \\1 ', 'g'),
                '[^[:alnum:]]+') WITH ORDINALITY AS split (term, place)
            WHERE split.term <> '' GROUP BY 1;
        END;

        CREATE FUNCTION thing_words(kind text, said text) RETURNS tsvector LANGUAGE sql IMMUTABLE PARALLEL SAFE BEGIN ATOMIC
            SELECT coalesce(array_to_tsvector(array_agg(kind || ':' || term)), '') FROM thing_terms(said);
        END;

        -- Things with all words that were typed, the last of which may be but begun. A beginning of a letter or two is that of so many words
        -- that the index had better not be asked for it: where there are other words it is the rest, to be looked for in what those find.
        CREATE FUNCTION thing_search(kinds text[], said text, is_rest boolean) RETURNS tsquery
        LANGUAGE sql IMMUTABLE PARALLEL SAFE BEGIN ATOMIC
            SELECT string_agg(
                '(' || (SELECT string_agg(quote_literal(kind || ':' || term) || CASE WHEN is_last THEN ':*' ELSE '' END, '|')
                    FROM unnest(kinds) AS kind) || ')',
                '&')::tsquery
            FROM (SELECT term, count(*) OVER () AS terms, place = max(place) OVER () AS is_last FROM thing_terms(said)) AS typed
            WHERE (is_last AND terms > 1 AND term ~ '^[[:alpha:]]{1,2}$') = is_rest;
        END;

        ALTER TABLE things ADD COLUMN words tsvector NOT NULL
            GENERATED ALWAYS AS (thing_words(kind, title || ' ' || coalesce(description, ''))) STORED;
        ALTER TABLE things ALTER words SET STATISTICS 1000;
        CREATE INDEX things_words ON things USING gin (words) WHERE listed;
        ANALYZE things;
        """
}
