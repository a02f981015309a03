import PlainText
import Sentences
import WireProtocol

/// What the form of `/notifications/settings` says: read into settings, or shown again as it was typed.
struct NoticeSettingsForm {
    var kinds: [NoticeChoice]
    var mail: NoticeMailMode
    var digestHour: Int
    var isQuiet: Bool
    var quietFrom: String
    var quietTo: String
    var timeZone: String
    /// Of the settings, as the form was made of them.
    var version: String?

    /// What the JSON body calls the fields, and what the form does.
    static let names = ["quiet.from": "quietFrom", "quiet.to": "quietTo", "quiet": "quietFrom"]

    /// - Parameter isModerator: Whoever is none chooses nothing of what moderators alone are told, and keeps what they had chosen.
    init(_ settings: NoticeSettings, isModerator: Bool) {
        kinds = settings.kinds.filter { isModerator || !$0.kind.isForModerators }
        mail = settings.mail
        digestHour = settings.digestHour
        isQuiet = settings.quiet != nil
        quietFrom = settings.quiet?.from ?? "22:00"
        quietTo = settings.quiet?.to ?? "07:00"
        timeZone = settings.timeZone
        version = settings.version
    }

    init(_ form: SubmittedForm, isModerator: Bool) {
        // A box that is not ticked sends nothing.
        kinds = InboxNoticeKind.allCases.filter { isModerator || !$0.isForModerators }.map { kind in
            NoticeChoice(
                kind: kind, mail: kind.hasMail && form["mail.\(kind.rawValue)"] == "on",
                push: form["push.\(kind.rawValue)"] == "on")
        }
        mail = NoticeMailMode(rawValue: form["mail"]) ?? .atOnce
        digestHour = Int(form["digestHour"]) ?? 8
        isQuiet = form["quiet"] == "on"
        quietFrom = String(form["quietFrom"].prefix(5))
        quietTo = String(form["quietTo"].prefix(5))
        timeZone = form["timeZone"]
        version = form["version"].nonEmpty
    }

    var settings: NoticeSettings {
        NoticeSettings(
            kinds: kinds, mail: mail, digestHour: digestHour,
            quiet: isQuiet ? QuietHours(from: quietFrom, to: quietTo) : nil, timeZone: timeZone, version: version)
    }

    /// What the form says, place by place.
    func said(in visit: Visit) -> [Meanwhile.Said] {
        let words = visit.words
        let choices = kinds.flatMap { choice in
            let about = words.notices.about(choice.kind)
            return [
                visit.said("\(about), \(words["settings.push"])", choice.push),
                visit.said("\(about), \(words["settings.mail"])", choice.mail),
            ]
        }
        let mode = Meanwhile.Said(words["settings.when"], words["settings.mode.\(mail.rawValue)"])
        let quiet = visit.said(words["settings.quietOn"], isQuiet)
        return choices + [mode, quiet] + fields(in: words).map { Meanwhile.Said($0) }
    }

    /// In the order in which the page shows them: when the day's mail comes, the quiet hours, the zone.
    func fields(in words: Words) -> [Field] {
        let hours = (0...23).map { hour in
            let text = words["settings.hour", ["time": (hour < 10 ? "0" : "") + "\(hour):00"]]
            return Field.Option(value: String(hour), text: text, chosen: hour == digestHour)
        }
        func time(_ name: String, _ value: String) -> Field {
            Field(name, words["settings.\(name)"]).with {
                $0.type = "time"
                $0.value = value
            }
        }
        return [
            Field("digestHour", words["settings.digestHour"]).with { $0.options = hours },
            time("quietFrom", quietFrom), time("quietTo", quietTo),
            Field("timeZone", words["settings.timeZone"]).with {
                $0.value = timeZone
                $0.hint = words["settings.timeZoneHint"]
                $0.maxlength = "64"
                $0.verbatim = true
                $0.autocomplete = "off"
            },
        ]
    }
}
