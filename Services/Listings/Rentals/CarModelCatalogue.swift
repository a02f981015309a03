import PlainText
import WireProtocol

/// Which cars there are. Data, not code: operators may have a file of their own.
struct CarModelCatalogue: Hashable, Sendable {
    /// Where there is no catalogue: every name is one.
    static let any = CarModelCatalogue(brands: [])

    let brands: [CarBrand]

    private init(brands: [CarBrand]) { self.brands = brands }

    /// Reads lines of `Brand: model, model`; those that begin with `#`, and empty ones, say nothing.
    /// - Throws: the number of the line that is none of these, or says a brand again.
    init(_ text: String) throws(BadLine) {
        var models: [String: [String]] = [:]
        for (index, line) in text.unifiedLines.normalized.split(separator: "\n", omittingEmptySubsequences: false)
            .enumerated()
        {
            let line = line.trimmed
            if line.isEmpty || line.hasPrefix("#") { continue }
            let parts = line.split(separator: ":", maxSplits: 1).map(\.trimmed)
            let names = parts.count == 2 ? parts[1].split(separator: ",").map(\.trimmed).filter { !$0.isEmpty } : []
            guard let brand = parts.first, !brand.isEmpty, !names.isEmpty, models[brand] == nil else {
                throw BadLine(number: index + 1)
            }
            models[brand] = Array(Set(names)).sorted()
        }
        brands = models.keys.sorted().map { CarBrand(name: $0, models: models[$0] ?? []) }
    }

    struct BadLine: Error, Hashable { let number: Int }

    /// What is wrong with a car of this brand and model.
    func errors(brand: String?, model: String?) -> [FieldError] {
        guard let brand, !brand.isEmpty else { return [FieldError("brand", "required", "Choose the brand.")] }
        guard let model, !model.isEmpty else { return [FieldError("model", "required", "Choose the model.")] }
        if brands.isEmpty { return [] }
        guard let known = brands.first(where: { $0.name == brand }) else {
            return [FieldError("brand", "unknown", "This brand is not in the catalogue.")]
        }
        return known.models.contains(model)
            ? [] : [FieldError("model", "unknown", "\(brand) has no such model in the catalogue.")]
    }
}
