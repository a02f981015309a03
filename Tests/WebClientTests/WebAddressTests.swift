import Glibc
import Testing

@testable import WebClient

@Suite struct WebAddressTests {
    @Test(arguments: [
        ("https://id.example.org", "https://id.example.org:443"),
        ("https://ID.example.org:8443/a?b=c", "https://id.example.org:8443"),
        ("http://localhost:5000/", "http://localhost:5000"), ("http://127.0.0.1:5000/x", "http://127.0.0.1:5000"),
        ("http://[::1]:5000/", "http://[::1]:5000"), ("https://10.0.0.1/", "https://10.0.0.1:443"),
    ])
    func may_be_asked(_ text: String, _ origin: String) {
        #expect(WebAddress(text)?.origin == origin)
    }

    @Test(arguments: [
        "http://id.example.org/", "http://127.0.0.1.example.org/", "http://localhost.example.org/", "ftp://localhost/",
        "file:///etc/passwd", "https://", "https://user@id.example.org/", "https://a:b@id.example.org/",
        "https://id.example.org/#part", "https://id.example.org/ a", "https://id.example.org\\@evil.example/", "",
        "http://127.1/", "http://0x7f.0.0.1/", "//id.example.org/", "javascript:alert(1)", "https://id.exämple.org/",
    ])
    func may_not_be_asked(_ text: String) {
        #expect(WebAddress(text) == nil)
    }

    @Test func forms_are_encoded_byte_by_byte() {
        #expect(WebAddress.encoded([("a b", "ä&="), ("c", "~-._")]) == "a%20b=%C3%A4%26%3D&c=~-._")
    }

    @Test(arguments: [
        "0.0.0.0", "10.1.2.3", "100.64.0.1", "127.0.0.1", "169.254.169.254", "172.16.0.1", "172.31.255.255",
        "192.168.1.1",
        "198.18.0.1", "203.0.113.9", "224.0.0.1", "255.255.255.255", "::", "::1", "::ffff:127.0.0.1", "::ffff:10.0.0.1",
        "fe80::1", "fc00::1", "fd12::1", "ff02::1", "64:ff9b::a00:1", "2002:7f00:1::1", "2001:db8::1", "2001::1",
        "::127.0.0.1",
    ])
    func is_inside(_ text: String) throws {
        #expect(try !isPublic(text))
    }

    @Test(arguments: [
        "1.1.1.1", "8.8.8.8", "172.32.0.1", "100.128.0.1", "193.166.3.2", "2606:4700::1111", "2a00:1450::1",
    ])
    func is_out_in_the_world(_ text: String) throws {
        #expect(try isPublic(text))
    }

    private func isPublic(_ text: String) throws -> Bool {
        var six = in6_addr()
        if inet_pton(AF_INET6, text, &six) == 1 {
            return PublicNetwork.contains(six: withUnsafeBytes(of: six) { Array($0) })
        }
        var four = in_addr()
        try #require(inet_pton(AF_INET, text, &four) == 1)
        return PublicNetwork.contains(four: withUnsafeBytes(of: four) { Array($0) })
    }
}
