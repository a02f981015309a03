import PlainText
import WireProtocol

/// Where one is in the wizard, with what was typed.
struct OfferState {
    var step: OfferStep
    var values: OfferValues
    var form: SubmittedForm
    /// Which button was pressed.
    var go = "next"
    var isWhole = false
    var errors: FieldErrors?
    var refusal: ErrorCode?

    init(_ step: OfferStep, _ values: OfferValues, _ form: SubmittedForm) {
        (self.step, self.values, self.form) = (step, values, form)
    }

    init(_ form: SubmittedForm) {
        self.init(OfferStep(rawValue: form["step"]) ?? .place, OfferValues(form), form)
        go = form["go"].nonEmpty ?? "next"
        isWhole = form["whole"] == "yes"
    }

    func at(_ step: OfferStep) -> OfferState {
        var state = self
        state.step = step
        return state
    }

    /// At the first step at which something is wrong.
    func failed(_ errors: FieldErrors, _ refusal: ErrorCode) -> OfferState {
        let wrong = Set(errors.messages.keys.map { OfferStep.asking(for: $0) })
        var state = at(OfferStep.asking.first { wrong.contains($0) } ?? step)
        (state.errors, state.refusal) = (errors, refusal)
        return state
    }
}
