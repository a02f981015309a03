import WireProtocol

/// That others see who seeks this, on the page of a search: what they see, and where.
struct WantedSeen {
    var text: String
    /// The list of the region in which it begins; nil where that is not known now.
    var href: String?

    /// Nil where nobody else sees it.
    init?(_ wanted: Wanted, in visit: Visit) async {
        guard wanted.isVisible == true, wanted.state != .ended else { return nil }
        text = visit.words["seeking.seen.\(wanted.state.rawValue)"]
        guard wanted.state == .live, let from = wanted.query.rides?.from else { return }
        // As others are told where it begins.
        let query = ReversePlaceQuery(at: from.onGrid)
        let region = try? await visit.ask(PlacesMethods.region, query, Nothing(), within: 1).name
        href = region.map { RideRegionPage.path($0, .from) }
    }
}
