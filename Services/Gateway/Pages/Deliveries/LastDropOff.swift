import Hummingbird
import PlainText
import WireProtocol

/// Where one wants something brought: in the address, and kept on the device, so that one says it once.
extension Visit {
    static let dropOffCookie = "kampong_dropoff"

    /// As the address says it, or the form that was sent; else the last one.
    func dropOff(_ name: String = "to") -> PlaceAnswer {
        let form = SubmittedForm((try? asked.get()) ?? [])
        guard form.fields[name] != nil else { return lastDropOff.map { PlaceAnswer(chosen: $0) } ?? PlaceAnswer() }
        if form.fields["\(name).at"] == nil, let chosen = PlaceChoice(written: form[name]) {
            return PlaceAnswer(chosen: chosen)
        }
        return PlaceAnswer(form, name)
    }

    var lastDropOff: PlaceChoice? {
        guard let query = request.cookies[Self.dropOffCookie]?.value.nonEmpty else { return nil }
        let said = (try? FormEncoding.pairs(query))?.first { $0.0 == "to" }?.1
        return said.flatMap { PlaceChoice(written: $0) }
    }

    /// The answer with where it is wanted now, where that is not what the device has already.
    func remembering(_ dropOff: PlaceChoice?, in response: Response) -> Response {
        guard let dropOff, dropOff != lastDropOff else { return response }
        let query = "to=\(LocalPath.encoded(dropOff.written))"
        guard query.utf8.count < 1000 else { return response }
        var response = response
        remember(query, in: Self.dropOffCookie, on: &response)
        return response
    }
}
