import HTTPTypes
import Hummingbird
import Sentences
import WireProtocol

/// `/notifications/settings`: who wants to hear what, by which way and when; and on which devices.
struct NoticeSettingsPage {
    struct Row {
        var kind: String
        var text: String
        var mail: Bool
        var hasMail: Bool
        var push: Bool
        var mailLabel: String
        var pushLabel: String
    }

    struct Mode {
        var value: String
        var text: String
        var chosen: Bool
    }

    var problem: String?
    /// What was saved while it was being filled in.
    var meanwhile: Meanwhile?
    var key: String
    /// Of the settings, as the form was made of them.
    var version: String?
    var rows: [Row]
    var modes: [Mode]
    var isQuiet: Bool
    var digestHour: Field
    var quietFields: [Field]
    var timeZone: Field
    var devices: PushDevicesPanel?

    static func register(on routes: PageRoutes) {
        routes.get("/notifications/settings") { visit in
            try visit.context.requirePerson()
            let settings = try await visit.ask(NotificationMethods.settings, Nothing(), Nothing())
            let form = NoticeSettingsForm(settings, isModerator: visit.isModerator)
            return try await show(NoticeSettingsPage(form, in: visit), visit)
        }
        // What mails say, beside one's other settings.
        routes.get("/me/notifications") { visit in visit.redirect(to: "/notifications/settings") }
        routes.post("/notifications/settings") { visit in
            try visit.context.requirePerson()
            return try await change(try await visit.form(), visit)
        }
        routes.post("/notifications/devices/{id}/remove") { visit in
            try visit.context.requirePerson()
            let (form, id) = (try await visit.form(), try visit.id(PushDeviceID.self))
            _ = try await visit.command(
                NotificationMethods.removeDevice, PushDeviceReference(id: id), Nothing(), of: form,
                doing: id.description)
            return visit.redirect(to: "/notifications/settings", done: "deviceRemoved")
        }
    }

    private static func change(_ form: SubmittedForm, _ visit: Visit) async throws -> Response {
        let typed = NoticeSettingsForm(form, isModerator: visit.isModerator)
        do {
            _ = try await visit.command(NotificationMethods.changeSettings, Nothing(), typed.settings, of: form)
            return visit.redirect(to: "/notifications/settings", done: "saved")
        } catch let error as ServiceError where error.code == .idempotencyMismatch {
            return visit.redirect(to: "/notifications/settings", done: "savedBefore")
        } catch let error as ServiceError where error.code == .changedMeanwhile {
            let settings = try await visit.ask(NotificationMethods.settings, Nothing(), Nothing())
            let kept = NoticeSettingsForm(settings, isModerator: visit.isModerator)
            var again = typed
            again.version = kept.version
            var page = NoticeSettingsPage(again, in: visit, key: Visit.key(form))
            page.meanwhile = Meanwhile(
                kept.said(in: visit), besides: again.said(in: visit), href: "/notifications/settings", in: visit.words)
            return try await show(page, visit, status: ProblemStatus.status(of: error.code))
        } catch let error as ServiceError where error.code != .unauthenticated {
            let page = NoticeSettingsPage(typed, in: visit, key: Visit.key(form), error: error)
            return try await show(page, visit, status: ProblemStatus.status(of: error.code))
        }
    }

    private static func show(
        _ page: NoticeSettingsPage, _ visit: Visit, status: HTTPResponse.Status = .ok
    ) async throws -> Response {
        var page = page
        page.devices = try await PushDevicesPanel.load(visit)
        let frame = PageFrame(title: visit.words["settings.title"], tab: .me, scripts: ["push/settings"])
        return try await visit.page("notifications/settings", page, frame, status: status)
    }

    private init(
        _ form: NoticeSettingsForm, in visit: Visit, key: String = Visit.newKey(), error: ServiceError? = nil
    ) {
        let words = visit.words
        var fields = form.fields(in: words)
        if let error {
            let errors = FieldErrors(error, words, names: NoticeSettingsForm.names)
            errors.mark(&fields)
            if !fields.contains(where: { $0.error != nil }) { problem = visit.told(error) }
        }
        self.key = key
        version = form.version
        rows = form.kinds.map { choice in
            let text = words.notices.about(choice.kind)
            return Row(
                kind: choice.kind.rawValue, text: text, mail: choice.mail, hasMail: choice.kind.hasMail,
                push: choice.push, mailLabel: "\(text): \(words["settings.mail"])",
                pushLabel: "\(text): \(words["settings.push"])")
        }
        modes = NoticeMailMode.allCases.map {
            Mode(value: $0.rawValue, text: words["settings.mode.\($0.rawValue)"], chosen: $0 == form.mail)
        }
        isQuiet = form.isQuiet
        (digestHour, quietFields, timeZone) = (fields[0], Array(fields[1...2]), fields[3])
    }
}

/// The devices on which one is told things while no page is open, and whether this one is among them.
struct PushDevicesPanel {
    struct Row {
        var id: String
        var name: String
        var current: Bool
        var added: Moment
        var removeLabel: String
    }

    /// What browsers subscribe with; nil where this installation reaches none.
    var applicationServerKey: String?
    /// Whether this session has registered a browser.
    var registered: Bool
    var rows: [Row]
    var any: Bool
    var key = Visit.newKey()

    /// Nil where it cannot be known just now.
    static func load(_ visit: Visit) async throws -> PushDevicesPanel? {
        async let known = visit.askUnlessAway(NotificationMethods.devices, Nothing())
        guard let settings = try await visit.askUnlessAway(NotificationMethods.pushSettings, Nothing()),
            let devices = try await known?.items
        else { return nil }
        return PushDevicesPanel(settings, devices, in: visit)
    }

    private init(_ settings: PushSettings, _ devices: [PushDevice], in visit: Visit) {
        let words = visit.words
        applicationServerKey = settings.kinds.contains(.webPush) ? settings.applicationServerKey : nil
        registered = devices.contains { $0.current && $0.kind == .webPush }
        rows = devices.map { device in
            let name = Device.name(device.label ?? "", in: words)
            return Row(
                id: device.id.description, name: name, current: device.current,
                added: visit.moment(device.addedAt, .ago),
                removeLabel: words["settings.removeOf", ["device": name]])
        }
        any = !rows.isEmpty
    }
}
