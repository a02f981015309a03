import HTTPTypes
import Hummingbird
import WireProtocol

/// `/me/export`: begins to gather one's own data, shows how far that is, and leads to the archive when it is ready.
struct ExportPage {
    struct Row {
        var name: String
        var done: Bool
        var state: String
    }

    var key = Visit.newKey()
    var back: String
    var any: Bool
    var ready: Bool
    var gathering: Bool
    var requested: Moment?
    var expires: Moment?
    var rows: [Row]

    private static let refresh = HTTPField.Name("Refresh")!

    static func register(on routes: PageRoutes) {
        routes.get("/me/export", forSuspended: true) { visit in
            try visit.context.requirePerson()
            let export = try await find(visit)
            var response = try await visit.page(
                "me/export", ExportPage(export, in: visit), PageFrame(title: visit.words["export.title"], tab: .me))
            if let export, export.readyAt == nil { response.headers[refresh] = "3" }
            return response
        }
        routes.post("/me/export", forSuspended: true) { visit in
            try visit.context.requirePerson()
            let form = try await visit.form()
            _ = try await visit.command(AuthMethods.requestExport, Nothing(), Nothing(), of: form)
            return visit.redirect(to: "/me/export")
        }
    }

    private static func find(_ visit: Visit) async throws -> DataExport? {
        do {
            return try await visit.ask(AuthMethods.export, Nothing(), Nothing())
        } catch let error as ServiceError where error.code == .notFound { return nil }
    }

    private init(_ export: DataExport?, in visit: Visit) {
        let words = visit.words
        back = SuspendedPage.back(in: visit)
        any = export != nil
        ready = export?.readyAt != nil
        gathering = any && !ready
        requested = export.map { visit.moment($0.requestedAt, .ago) }
        expires = export?.expiresAt.map { visit.moment($0, .date) }
        rows = (export?.parts ?? []).map { part in
            Row(
                name: words["erasure.service.\(part.service)"], done: part.doneAt != nil,
                state: words[part.doneAt == nil ? "export.waiting" : "export.records", count: part.records])
        }
    }
}
