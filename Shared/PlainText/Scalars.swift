extension Unicode.Scalar {
    /// Whether it leaves ink. Spaces of all kinds, joiners, fillers, marks that stand on something else, and what no font has do not.
    package var isVisible: Bool {
        switch properties.generalCategory {
        case .control, .format, .spaceSeparator, .lineSeparator, .paragraphSeparator, .unassigned, .privateUse,
            .nonspacingMark, .enclosingMark, .surrogate:
            false
        // An empty pattern of Braille, and a note without a head, are symbols by their category.
        default: !properties.isDefaultIgnorableCodePoint && self != "\u{2800}" && self != "\u{1D159}"
        }
    }

    /// Whether it breaks lines, steers terminals, or turns the text around it. The marks that give a direction only to what stands at them
    /// (U+200E, U+200F, U+061C) are needed where scripts are mixed.
    package var isControl: Bool {
        switch properties.generalCategory {
        case .control, .lineSeparator, .paragraphSeparator, .surrogate: true
        default: (0x202A...0x202E).contains(value) || (0x2066...0x2069).contains(value)
        }
    }
}
