/// How searches compare what is kept with what is typed: one function of a schema, for both, so that an index can be made of it.
///
/// Compatibility forms first (full width, ligatures), then marks that writers leave out go (accents, Arabic and Hebrew vowel signs, the kashida) and
/// what nobody sees (soft hyphens, joiners), then letters that have no decomposition are written as people write them who don't have them, both sigmas
/// are one, and so are apostrophes. What is left is put together again, since Korean syllables and voiced kana are letters.
///
/// It is not `unaccent` that does it: its dictionary is a file that may be another one tomorrow, and an index can't be kept by that. Places, whose
/// rows are written by imports alone, folds by its own key, which adds that dictionary.
package enum SearchFolding {
    /// Makes `search_letters` in the schema of the service, which gives it a place among its own migrations. Most texts are ASCII, which spares them the rest.
    package static func migration(number: Int) -> Migration {
        Migration(
            number, "how searches compare",
            #"""
            CREATE FUNCTION search_letters(said text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE
            RETURN CASE WHEN octet_length(said) = length(said) THEN lower(said) ELSE
                replace(replace(replace(replace(
                    translate(
                        normalize(
                            regexp_replace(
                                lower(normalize(said, NFKD)),
                                '[\u00AD\u0300-\u036F\u0591-\u05C7\u0640\u064B-\u065F\u0670\u200B-\u200F\u2060\uFEFF]', '', 'g'),
                            NFC),
                        'øłđðħıς’‘ʼ', 'olddhiσ'''''''),
                    'ß', 'ss'), 'æ', 'ae'), 'œ', 'oe'), 'þ', 'th')
                END;
            """#)
    }
}
