import People
import Postgres

/// The schema `listings`: numbered, append-only. What is here is never changed, only added to.
enum ListingsSchema {
    static let migrations = [
        Migration(1, "spots", spots),
        PeopleProjection.migration(number: 2),
        Migration(3, "what a person has now", present),
        Migration(4, "spots to forget", spotsToForget),
        PeopleProjection.snapshotMigration(number: 5),
        PeopleProjection.campusMigration(number: 6),
        Migration(7, "claims that are completed", completed),
        PeopleProjection.reputationMigration(number: 8),
        BlockProjection.migration(number: 9),
        PeopleErasure.migration(number: 10),
        Migration(11, "what is left of erased people", erased),
        SuspensionProjection.migration(number: 12),
        Migration(13, "spots that are hidden", hidden),
        Migration(14, "where the posters of spots belong", campuses),
        Migration(15, "one's observations in their order", observationsInOrder),
        Migration(16, "things that are rented", things),
        Migration(17, "agreements about things", agreements),
        Migration(18, "the days in which things are let", availableDays),
        Migration(19, "until when the two of an agreement talk", talks),
        Migration(20, "agreements of a person by their state", agreementsByState),
        Migration(21, "when agreements were accepted", acceptances),
        Migration(22, "which plates were tried by whom", plateTries),
        Migration(23, "the words of things", words),
        Migration(24, "what is said in agreements", sayings),
        Migration(25, "words however their accents are typed", foldedWords),
        Migration(26, "words of which two letters are typed", beginningsOfTwo),
        Migration(27, "the nearest things of a kind", nearestOfKind),
        SearchFolding.migration(number: 28),
        Migration(29, "words by the folding of all searches", wordsOfOneFolding),
        Migration(30, "what was read in calendars", calendarEntries),
        Migration(31, "who asks once for the same time", askingOnce),
        Migration(32, "the clocks of things and of their periods", zones),
        Migration(33, "agreements of a person by when they end", agreementsByEnd),
    ]
}
