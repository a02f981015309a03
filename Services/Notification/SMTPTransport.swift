import CCurl
import Reactor

/// How mails reach the operator's mail server.
struct SMTPSettings: Hashable, Sendable {
    enum Security: String, Hashable, Sendable {
        /// STARTTLS for `smtp://`, TLS from the start for `smtps://`; without it nothing is sent.
        case required
        /// For a relay on the same machine only.
        case none
    }

    /// `smtp://host:587` or `smtps://host`.
    var url: String
    var user: String?
    var password: String?
    var security = Security.required
    /// Certificates to trust instead of the system's.
    var certificates: String?
    /// Seconds; together less than a mail's lease.
    var connectTimeout = 10
    var timeout = 40
}

/// SMTP by libcurl, one connection for each mail: this is a village's mail, not a newsletter's.
struct SMTPTransport: MailTransport {
    let settings: SMTPSettings
    let reactor: Reactor

    func deliver(_ message: MailMessage) async throws {
        let bytes = try message.bytes()
        try await reactor.blocking { [settings] in
            try Self.isStarted.get()
            try SMTPDelivery(settings, from: message.sender.address, to: message.recipient.text, bytes).perform()
        }
    }

    private static let isStarted: Result<Void, MailFailure> =
        kampong_curl_start() == CURLE_OK
        ? .success(()) : .failure(MailFailure(isFinal: false, reason: "libcurl does not start."))
}

/// One delivery, on a thread where it may block.
private final class SMTPDelivery {
    private let curl: UnsafeMutableRawPointer
    private var recipients: UnsafeMutablePointer<curl_slist>?
    private let source: UnsafeMutablePointer<MailSource>
    private let words: UnsafeMutablePointer<CChar>

    init(_ settings: SMTPSettings, from sender: String, to recipient: String, _ bytes: [UInt8]) throws(MailFailure) {
        guard let curl = curl_easy_init() else {
            throw MailFailure(isFinal: false, reason: "libcurl gives no handle.")
        }
        self.curl = curl
        source = .allocate(capacity: 1)
        source.initialize(to: MailSource(rest: bytes[...]))
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        recipients = curl_slist_append(nil, "<\(recipient)>")
        text(CURLOPT_URL, settings.url)
        text(CURLOPT_MAIL_FROM, "<\(sender)>")
        text(CURLOPT_USERNAME, settings.user)
        text(CURLOPT_PASSWORD, settings.password)
        text(CURLOPT_CAINFO, settings.certificates)
        pointer(CURLOPT_MAIL_RCPT, recipients)
        pointer(CURLOPT_ERRORBUFFER, words)
        number(CURLOPT_USE_SSL, settings.security == .required ? Int(CURLUSESSL_ALL.rawValue) : 0)
        number(CURLOPT_CONNECTTIMEOUT, settings.connectTimeout)
        number(CURLOPT_TIMEOUT, settings.timeout)
        // Signals are the process's, and another thread's.
        number(CURLOPT_NOSIGNAL, 1)
        number(CURLOPT_UPLOAD, 1)
        _ = kampong_curl_read(curl, readMail, source)
    }

    deinit {
        curl_easy_cleanup(curl)
        curl_slist_free_all(recipients)
        source.deinitialize(count: 1)
        source.deallocate()
        words.deallocate()
    }

    func perform() throws(MailFailure) {
        let code = curl_easy_perform(curl)
        guard code != CURLE_OK else { return }
        var status = 0
        _ = kampong_curl_answer(curl, &status)
        let said = String(cString: words)
        throw MailFailure(
            isFinal: SMTPDelivery.isFinal(status),
            reason: "\(said.isEmpty ? String(cString: curl_easy_strerror(code)) : said) (\(code.rawValue), \(status))")
    }

    /// Refusals of this recipient or this mail. Of what concerns our own credentials and settings, the operator may mend the cause.
    private static func isFinal(_ status: Int) -> Bool { [521, 541, 550, 551, 552, 553, 554, 556].contains(status) }

    private func number(_ option: CURLoption, _ value: Int) {
        _ = kampong_curl_number(curl, option, value)
    }

    private func text(_ option: CURLoption, _ value: String?) {
        guard let value else { return }
        _ = kampong_curl_text(curl, option, value)
    }

    private func pointer(_ option: CURLoption, _ value: UnsafeMutableRawPointer?) {
        _ = kampong_curl_pointer(curl, option, value)
    }
}

/// What libcurl reads a mail from.
private struct MailSource {
    var rest: ArraySlice<UInt8>
}

/// A function of its own: C is given its address, and nothing that it could capture.
private func readMail(
    _ buffer: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let buffer, let context else { return kampong_curl_abort }
    let source = context.assumingMemoryBound(to: MailSource.self)
    let part = source.pointee.rest.prefix(size * count)
    part.withUnsafeBytes { bytes in
        guard let first = bytes.baseAddress else { return }
        UnsafeMutableRawPointer(buffer).copyMemory(from: first, byteCount: bytes.count)
    }
    source.pointee.rest = source.pointee.rest.dropFirst(part.count)
    return part.count
}
