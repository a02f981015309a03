import CCurl
import Glibc

/// One transfer, on a thread where it may block.
final class WebTransfer {
    private let curl: UnsafeMutableRawPointer
    private let sink: UnsafeMutablePointer<WebSink>
    private let words: UnsafeMutablePointer<CChar>
    private var headers: UnsafeMutablePointer<curl_slist>?

    private static let isStarted = kampong_curl_start() == CURLE_OK

    init(_ request: WebRequest) throws(WebFailure) {
        guard Self.isStarted, let curl = curl_easy_init() else { throw WebFailure("libcurl gives no handle") }
        self.curl = curl
        sink = .allocate(capacity: 1)
        sink.initialize(to: WebSink(most: request.mostBytes))
        words = .allocate(capacity: Int(CURL_ERROR_SIZE))
        words.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        for line in request.headers { headers = curl_slist_append(headers, line) }
        _ = kampong_curl_pointer(curl, CURLOPT_ERRORBUFFER, words)
        _ = kampong_curl_schemes(curl, request.address.isPlain ? 1 : 0)
        text(CURLOPT_URL, request.address.text)
        text(CURLOPT_USERAGENT, "Kampong")
        text(CURLOPT_CAINFO, request.certificates)
        if let headers { _ = kampong_curl_pointer(curl, CURLOPT_HTTPHEADER, headers) }
        if let bytes = request.bytes {
            _ = bytes.withUnsafeBytes { kampong_curl_body(curl, $0.baseAddress, $0.count) }
        } else if let body = request.body {
            text(CURLOPT_COPYPOSTFIELDS, body)
        }
        number(CURLOPT_TIMEOUT_MS, max(1, request.timeout))
        number(CURLOPT_CONNECTTIMEOUT_MS, max(1, min(3000, request.timeout)))
        number(CURLOPT_FOLLOWLOCATION, request.redirects > 0 ? 1 : 0)
        number(CURLOPT_MAXREDIRS, request.redirects)
        // Signals are the process's, and another thread's.
        number(CURLOPT_NOSIGNAL, 1)
        _ = kampong_curl_write(curl, keepAnswer, sink)
        switch request.reach {
        case .anywhere: text(CURLOPT_NOPROXY, "localhost,127.0.0.1,::1")
        case .publicOnly:
            // A proxy would connect where we may not.
            text(CURLOPT_PROXY, "")
            _ = kampong_curl_open(curl, openPublicSocket, nil)
        }
    }

    deinit {
        curl_easy_cleanup(curl)
        curl_slist_free_all(headers)
        sink.deinitialize(count: 1)
        sink.deallocate()
        words.deallocate()
    }

    func perform() throws(WebFailure) -> WebAnswer {
        let code = curl_easy_perform(curl)
        if sink.pointee.isOverfull { throw WebFailure("the answer is longer than \(sink.pointee.most) bytes") }
        guard code == CURLE_OK else {
            let said = String(cString: words)
            throw WebFailure(said.isEmpty ? String(cString: curl_easy_strerror(code)) : said)
        }
        var status = 0
        _ = kampong_curl_answer(curl, &status)
        var type: UnsafePointer<CChar>?
        _ = kampong_curl_type(curl, &type)
        // Seconds, whether the server wrote those or a date; 0 where it wrote nothing.
        var wait: curl_off_t = 0
        _ = kampong_curl_retry_after(curl, &wait)
        return WebAnswer(
            status: status, type: type.map { String(cString: $0) } ?? "", bytes: sink.pointee.bytes,
            retryAfter: wait > 0 ? Int(wait) : nil)
    }

    private func number(_ option: CURLoption, _ value: Int) { _ = kampong_curl_number(curl, option, value) }

    private func text(_ option: CURLoption, _ value: String?) {
        guard let value else { return }
        _ = kampong_curl_text(curl, option, value)
    }
}

/// What libcurl writes an answer into.
private struct WebSink {
    let most: Int
    var bytes: [UInt8] = []
    var isOverfull = false
}

// Functions of their own: C is given their address, and nothing that they could capture.

private func keepAnswer(
    _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ context: UnsafeMutableRawPointer?
) -> Int {
    guard let bytes, let sink = context?.assumingMemoryBound(to: WebSink.self) else { return 0 }
    let length = size * count
    guard sink.pointee.bytes.count + length <= sink.pointee.most else {
        sink.pointee.isOverfull = true
        return 0
    }
    sink.pointee.bytes += UnsafeRawBufferPointer(start: bytes, count: length)
    return length
}

/// Asked for every address that is connected to, redirects included, after its name was resolved: what a name resolves to a moment
/// later plays no part.
private func openPublicSocket(
    _: UnsafeMutableRawPointer?, _: curlsocktype, _ address: UnsafeMutablePointer<curl_sockaddr>?
) -> curl_socket_t {
    guard let address, PublicNetwork.contains(kampong_curl_address(address)) else { return -1 }
    let wanted = address.pointee
    return socket(wanted.family, wanted.socktype | Int32(SOCK_CLOEXEC.rawValue), wanted.protocol)
}
