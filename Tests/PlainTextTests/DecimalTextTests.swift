import PlainText
import Testing

/// What is a number in addresses, forms and files.
@Suite struct DecimalTextTests {
    @Test(arguments: [
        ("60.17", 60.17), ("-0.5", -0.5), ("+7", 7), (".5", 0.5), ("1e-05", 0.00001), ("2E1", 20), ("007", 7),
    ]) func a_number_is_read(_ text: String, _ number: Double) { #expect(Double(decimal: text) == number) }

    @Test(arguments: [
        "", " 1", "1 ", "nan", "inf", "-infinity", "NaN", "0x10", "0x1p3", "1e999", "1,5", "1_000", "٣", "１", "--1",
        "e", ".",
    ]) func anything_else_is_none(_ text: String) { #expect(Double(decimal: text) == nil) }
}
