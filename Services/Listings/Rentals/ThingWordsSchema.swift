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

    /// Words are found however their accents are typed: "cafe" finds "Café", and "Café" what somebody called "cafe". As places compares names: compatibility
    /// forms first (full width, ligatures), then marks that writers leave out go (accents, Arabic and Hebrew vowel signs, the kashida), then letters that
    /// have no decomposition are written as people write them who don't have them. What is left is put together again, since Korean syllables and voiced
    /// kana are letters. It is not `unaccent` that does it: its dictionary is a file that may be another one tomorrow, and a column can't be kept by that.
    static let foldedWords = """
        CREATE FUNCTION thing_letters(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN replace(replace(replace(replace(
            translate(
                normalize(
                    regexp_replace(
                        lower(normalize(said, NFKD)),
                        '[\\u0300-\\u036F\\u0591-\\u05C7\\u0640\\u064B-\\u065F\\u0670]', '', 'g'),
                    NFC),
                'øłđðħı', 'olddhi'),
            'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th');

        -- Both what is searched and what is searched for is cut by it.
        CREATE OR REPLACE FUNCTION thing_terms(said text) RETURNS TABLE (term text, place bigint)
        LANGUAGE sql IMMUTABLE PARALLEL SAFE BEGIN ATOMIC
            SELECT left(split.term, 64), max(split.place)
            FROM regexp_split_to_table(
                regexp_replace(
                    thing_letters(said),
                    '([\\u0E00-\\u0EFF\\u1000-\\u109F\\u1780-\\u17FF\\u3040-\\u30FF\\u3400-\\u9FFF])', ' \\1 ', 'g'),
                '[^[:alnum:]]+') WITH ORDINALITY AS split (term, place)
            WHERE split.term <> '' GROUP BY 1;
        END;

        -- What was cut before is cut anew; its index goes with it.
        ALTER TABLE things DROP COLUMN words;
        ALTER TABLE things ADD COLUMN words tsvector NOT NULL
            GENERATED ALWAYS AS (thing_words(kind, title || ' ' || coalesce(description, ''))) STORED;
        ALTER TABLE things ALTER words SET STATISTICS 1000;
        CREATE INDEX things_words ON things USING gin (words) WHERE listed;
        ANALYZE things;
        """

    /// A beginning of two letters is asked of the index as well: among a million things "space ad", which few have, took 118 ms by looking at all that have
    /// a space; the most that any beginning takes in the index is a third of that.
    static let beginningsOfTwo = """
        CREATE OR REPLACE FUNCTION thing_search(kinds text[], said text, is_rest boolean) RETURNS tsquery
        LANGUAGE sql IMMUTABLE PARALLEL SAFE BEGIN ATOMIC
            SELECT string_agg(
                '(' || (SELECT string_agg(quote_literal(kind || ':' || term) || CASE WHEN is_last THEN ':*' ELSE '' END, '|')
                    FROM unnest(kinds) AS kind) || ')',
                '&')::tsquery
            FROM (SELECT term, count(*) OVER () AS terms, place = max(place) OVER () AS is_last FROM thing_terms(said)) AS typed
            WHERE (is_last AND terms > 1 AND term ~ '^[[:alpha:]]$') = is_rest;
        END;
        """

    /// By the folding that all searches have (`SearchFolding`), in place of one of its own. The index is as before, `things_words`.
    static let wordsOfOneFolding = """
        CREATE OR REPLACE FUNCTION thing_letters(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
        RETURN search_letters(said);

        -- What was cut before is cut anew; its index goes with it.
        ALTER TABLE things DROP COLUMN words;
        ALTER TABLE things ADD COLUMN words tsvector NOT NULL
            GENERATED ALWAYS AS (thing_words(kind, title || ' ' || coalesce(description, ''))) STORED;
        ALTER TABLE things ALTER words SET STATISTICS 1000;
        CREATE INDEX things_words ON things USING gin (words) WHERE listed;
        ANALYZE things;
        """
}
