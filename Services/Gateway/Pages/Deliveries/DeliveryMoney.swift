import PlainText
import Sentences
import WireProtocol

/// Amounts of deliveries as people type them.
enum DeliveryMoney {
    /// Nothing typed is nothing to pay; nil where it is no amount.
    static func read(_ text: String, currency: String) -> Money? {
        let amount = text.isEmpty ? 0 : Price.amount(text, currency: currency)
        return amount.map { Money(amount: $0, currency: currency) }
    }

    /// For a form's field; empty of nothing.
    static func typed(_ money: Money?) -> String {
        money.flatMap { $0.amount > 0 ? MoneyText.number($0, separator: ".") : nil } ?? ""
    }
}
