import DurableMessaging
import FoundationEssentials
import People
import Postgres
import WireProtocol

extension WantedUseCases {
    /// What is kept about somebody: what they look for. What was found is not theirs.
    var ownRecords: [PersonalSections.Section] {
        [
            .init("wanted") { person, cursor in
                let found = try await listed(
                    WantedPage.statement(
                        of: person, after: cursor.flatMap { WantedID($0) }, atMost: PageSize.largest))
                let now = clock()
                return Page(
                    items: try found.compactMap(\.search).map { try PersonalRecord("wanted", Wanted($0, at: now)) },
                    next: found.count == PageSize.largest ? found.last?.id.description : nil)
            }
        ]
    }
}
