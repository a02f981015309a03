import Hummingbird
import WireProtocol

/// `/spaces/{id}/wizard/cancel`: whether the draft is kept or deleted.
struct CancelWizardPage {
    var title: String
    var text: String
    var keep: String
    var delete: String
    /// Back to the step.
    var goOn: String
    var key = Visit.newKey()

    static func show(_ visit: Visit) async throws -> Response {
        let space = try await visit.ownThing(.space)
        guard space.isDraftSpace else { return visit.leave(for: space.path) }
        let step = visit.query("at").flatMap { WizardStep(rawValue: $0) } ?? .address
        let page = CancelWizardPage(
            title: visit.words["sharing.cancel.title"], text: visit.words["sharing.cancel.text"],
            keep: "\(MyThingsPage.path)?done=draftKept", delete: "/things/\(space.id)/withdraw",
            goOn: step.path(space.id))
        if visit.isFragment { return visit.fragment("sharing/cancel", page) }
        return try await visit.page("sharing/cancel", page, PageFrame(title: page.title, tab: .share))
    }
}
