import Messaging
import People
import WireProtocol

/// What each vertical answers, and what they answer together.
struct ListingsEndpoint: Sendable {
    let spots: SpotUseCases
    let rentals: RentalUseCases

    func answer(on router: inout RequestRouter) {
        SpotEndpoint(spots: spots).answer(on: &router)
        RentalEndpoint(rentals: rentals).answer(on: &router)
        SearchedEndpoint(spots: spots, rentals: rentals).answer(on: &router)
        router.on(ListingsEvents.stream.methods.subject) { query, _, _ in
            query.subject.kind == .thing ? try await rentals.subject(query) : try await spots.subject(query)
        }
        router.on(ListingsEvents.stream.methods.roomSubject) { query, _, _ in
            query.subject.kind == .thing
                ? try await rentals.roomSubject(query) : try await spots.roomSubject(query)
        }
        router.on(ListingsEvents.stream.methods.waiting) { _, _, context in
            Page(items: try await rentals.waiting(for: context.caller) + spots.waiting(for: context.caller))
        }
        router.on(ListingsEvents.stream.methods.shelf) { query, _, context in
            try await shelf(query, for: context.caller)
        }
        let own = PersonalSections(spots.ownRecords + rentals.ownRecords)
        router.on(ListingsEvents.stream.methods.personalData) { query, _, _ in try await own.page(query) }
        router.on(ListingsEvents.stream.methods.photosInUse) { _, asked, _ in
            let asked = PhotoUse(photos: Array(asked.photos.prefix(PhotoUse.largest)))
            let ofThings = try await rentals.store.photos(among: asked.photos)
            return PhotoUse(photos: Set(try await spots.photosInUse(asked).photos + ofThings).sorted())
        }
    }

    private func shelf(_ query: ShelfQuery, for caller: Caller) async throws -> Page<ShelfItem> {
        switch query.kind {
        case .spot:
            let asked = SpotQuery(by: query.person, limit: query.limit, cursor: query.cursor)
            let found = try await spots.spots(asked, for: caller)
            return Page(items: found.items.map { ShelfItem($0) }, next: found.next)
        case .thing:
            let asked = ThingQuery(by: query.person, limit: query.limit, cursor: query.cursor)
            let found = try await rentals.things(asked, for: caller)
            return Page(items: found.items.map { ShelfItem($0) }, next: found.next)
        default: throw ServiceError.notFound("shelf")
        }
    }
}
