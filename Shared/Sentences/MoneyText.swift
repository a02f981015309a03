package import WireProtocol

/// Amounts of money as people write them.
package enum MoneyText {
    private static let withoutCents: Set<String> = ["CLP", "ISK", "JPY", "KRW", "PYG", "UGX", "VND", "XAF", "XOF"]
    private static let signs = [
        "AUD": "$", "CAD": "$", "EUR": "€", "GBP": "£", "INR": "₹", "JPY": "¥", "KRW": "₩", "NZD": "$", "SGD": "$",
        "USD": "$",
    ]

    package static func decimals(of currency: String) -> Int { withoutCents.contains(currency) ? 0 : 2 }

    /// `$2.50`, `$2`, `2,50 €`.
    package static func text(_ money: Money, in language: String) -> String {
        let number = number(money, separator: language == "en" ? "." : ",")
        let sign = signs[money.currency] ?? money.currency
        if language != "en" { return "\(number)\u{A0}\(sign)" }
        return signs[money.currency] == nil ? "\(sign)\u{A0}\(number)" : sign + number
    }

    /// For a form's field: `2.50`, and cents only where there are any.
    package static func number(_ money: Money, separator: String) -> String {
        let decimals = decimals(of: money.currency)
        let unit = decimals == 0 ? 1 : 100
        let (whole, cents) = money.amount.quotientAndRemainder(dividingBy: unit)
        guard cents != 0 else { return String(whole) }
        return "\(whole)\(separator)\(abs(cents) < 10 ? "0" : "")\(abs(cents))"
    }
}
