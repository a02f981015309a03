/// A question before something that others see or that cannot be undone: a page of its own, which scripts show as a dialog.
struct Ask {
    var icon: String
    /// Whether it cannot be undone.
    var grave = false
    var title: String
    var text: String
    /// What it costs, and the like.
    var note: String?
    /// What of it comes back with the form, so that nothing else is agreed to.
    var seen: String?
    /// Why it is asked once more.
    var problem: String?
    /// Where the form goes.
    var action: String
    var yes: String
    var no: String
    /// Where one goes who does not want to.
    var cancel: String
    var key = Visit.newKey()

    init(_ topic: String, icon: String, action: String, cancel: String, name: String = "", in words: Words) {
        self.icon = icon
        self.action = action
        self.cancel = cancel
        title = words["\(topic).title", ["name": name]]
        text = words["\(topic).text", ["name": name]]
        yes = words["\(topic).yes"]
        no = words["\(topic).no"]
    }
}
