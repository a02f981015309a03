// Telephone numbers: where the community sends texts, people show by one that a number is theirs.

/// `POST /v1/me/phone-verifications`.
public struct PhoneVerificationRequest: Codable, Hashable, Sendable {
    /// With the country's code: `+65 9123 4567`.
    public var phone: String
    public init(phone: String) { self.phone = phone }
}

/// `POST /v1/me/phone-verifications/confirm`.
public struct PhoneVerification: Codable, Hashable, Sendable {
    /// The six digits of the text.
    public var code: String
    public init(code: String) { self.code = code }
}

extension AuthMethods {
    /// The same answer whether or not somebody has verified the number before.
    package static let requestPhoneVerification = Method<LanguageParameters, PhoneVerificationRequest, Nothing>(
        "auth.requestPhoneVerification", .command)
    package static let verifyPhone = Method<Nothing, PhoneVerification, Person>("auth.verifyPhone", .command)
}
