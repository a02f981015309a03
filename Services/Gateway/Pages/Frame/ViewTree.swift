import Mustache

/// Turns a page's view model, a struct, into what Mustache reads: dictionaries, lists, truths and texts.
///
/// Nothing (nil) becomes a value of its own, so that a template finds it there and does not go on looking in the models around it.
enum ViewTree {
    static func of(_ model: some Any) -> [String: Any] { tree(model) as? [String: Any] ?? [:] }

    private static func tree(_ value: Any) -> Any {
        switch value {
        case let text as String: return text
        case let truth as Bool: return truth
        case let number as Int: return String(number)
        case let list as [Any]: return list.map(tree)
        default: break
        }
        let mirror = Mirror(reflecting: value)
        if mirror.displayStyle == .optional {
            return mirror.children.first.map { tree($0.value) } ?? Absent()
        }
        var members: [String: Any] = [:]
        for (label, member) in mirror.children {
            if let label { members[label] = tree(member) }
        }
        return members
    }
}

/// Nothing, said so that a template stops looking.
private struct Absent: MustacheCustomRenderable {
    var renderText: String { "" }
    var isNull: Bool { true }
}
