import WireProtocol

/// The fields that joining and editing a profile have in common.
enum ProfileFields {
    static func name(_ value: String, in words: Words) -> Field {
        Field("name", words["form.name"]).with {
            $0.value = value
            $0.autocomplete = "name"
            $0.required = true
            $0.maxlength = "80"
        }
    }

    static func username(_ value: String, said: UsernameCheck? = nil, in words: Words) -> Field {
        Field("username", words["form.username"]).with {
            $0.value = value
            $0.hint = words["form.usernameHint"]
            $0.optional = true
            $0.verbatim = true
            $0.autocomplete = "off"
            $0.maxlength = "30"
            $0.watch = UsernameCheck.path
            $0.said = said
        }
    }

    /// A choice among the community's regions; where it has none, people write what they like.
    static func region(_ value: String, in visit: Visit) -> Field {
        Field("region", visit.words["form.region"]).with {
            $0.optional = true
            $0.value = value
            $0.maxlength = "80"
            $0.autocomplete = "address-level2"
            guard !visit.community.regions.isEmpty else { return }
            $0.options =
                [Field.Option(value: "", text: visit.words["form.noRegion"], chosen: value.isEmpty)]
                + visit.community.regions.map { .init(value: $0, text: $0, chosen: $0 == value) }
        }
    }
}

/// A field as a template shows it that can be either: typed, or chosen from a list.
struct TypedOrChosen {
    var typed: Field?
    var chosen: Field?

    init(_ field: Field) {
        typed = field.options.isEmpty ? field : nil
        chosen = field.options.isEmpty ? nil : field
    }
}
