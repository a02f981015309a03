import PlainText
import WireProtocol

/// Which car it is, out of the community's catalogue (`sharing/model`): one list, grouped by brand, which scripts make two of. Where there is no
/// catalogue both are typed.
struct CarModelField {
    struct Brand {
        var name: String
        var models: [Field.Option]
    }

    var field: Field
    var brands: [Brand]
    /// What scripts show first.
    var chosenBrand: String
    /// Nil where there is a catalogue.
    var typed: [Field]?
    var isListed: Bool

    init(_ values: ThingValues, _ catalogue: CarModels?, error: String?, focus: Bool, in words: Words) {
        let known = catalogue?.brands ?? []
        isListed = !known.isEmpty
        chosenBrand = values.brand
        field = Field("car", words["sharing.form.car"]).with {
            $0.error = error
            $0.focus = focus
        }
        brands = known.map { brand in
            // What it was before stays, though the catalogue no longer has it.
            let gone = brand.name == values.brand && !values.model.isEmpty && !brand.models.contains(values.model)
            return Brand(
                name: brand.name,
                models: (brand.models + (gone ? [values.model] : [])).map { model in
                    .init(
                        value: "\(brand.name)\(Self.between)\(model)", text: model,
                        chosen: brand.name == values.brand && model == values.model)
                })
        }
        guard known.isEmpty else { return }
        func text(_ name: String, _ value: String) -> Field {
            Field(name, words["sharing.form.\(name)"]).with {
                $0.value = value
                $0.maxlength = "120"
                $0.required = true
            }
        }
        typed = [text("brand", values.brand), text("model", values.model)]
        typed?[0] = text("brand", values.brand).with {
            $0.error = error
            $0.focus = focus
        }
    }

    /// No brand has it in its name: the catalogue's file separates them by it.
    static let between = ": "

    /// Brand and model that a form says.
    static func chosen(_ form: SubmittedForm) -> (String, String) {
        guard let both = form["car"].nonEmpty else { return (form["brand"], form["model"]) }
        guard let range = both.firstRange(of: between) else { return (both, "") }
        return (String(both[..<range.lowerBound]), String(both[range.upperBound...]))
    }
}
