import Glibc
import Testing

@testable import ZeroMQ

@Suite struct KeyTests {
    @Test func aPairBelongsTogetherAndShowsItsPublicHalfOnly() throws {
        let pair = CurveKeyPair.generate()
        let again = try #require(CurveKeyPair(secretKey: pair.secretKey))
        #expect(again.publicKey == pair.publicKey)
        #expect(!"\(pair)".contains(pair.secretKey.text))
        #expect(CurveKeyPair.generate().secretKey != pair.secretKey)
    }

    @Test(arguments: ["", "short", String(repeating: "a", count: 41), String(repeating: " ", count: 40), "ä"])
    func whatIsNoKeyIsRefused(_ text: String) { #expect(CurveKey(text) == nil) }

    @Test func aKeyIsReadWithTheLineEndOfItsFile() {
        let key = CurveKeyPair.generate().publicKey
        #expect(CurveKey(key.text + "\n") == key)
    }

    @Test func keysAreMadeOnceAndPrivately() throws {
        let keys = Keys()
        let first = try BusKeys.create(role: "auth", in: keys.path)
        let second = try BusKeys.create(role: "auth", in: keys.path)
        #expect(first.keys.publicKey == second.keys.publicKey)
        var status = stat()
        #expect(stat("\(keys.path)/secret/auth.key", &status) == 0)
        #expect(status.st_mode & 0o777 == 0o600)
        #expect(Keys.names(in: "\(keys.path)/secret").filter { !$0.hasPrefix(".") } == ["auth.key"])
    }

    @Test func aMissingPublicKeyIsDerivedFromTheSecretOne() throws {
        let keys = Keys()
        let first = try BusKeys.create(role: "auth", in: keys.path)
        keys.withdraw("auth")
        #expect(try BusKeys.create(role: "auth", in: keys.path).keys.publicKey == first.keys.publicKey)
    }

    @Test func loadingNamesWhatIsWrong() throws {
        let keys = Keys()
        let identity = try keys.identity("auth")
        let secret = "\(keys.path)/secret/auth.key"
        func complaint(_ path: String) -> String {
            do {
                _ = try BusIdentity.load(secretKey: path, publicKeys: keys.publicKeys, role: "auth")
                return ""
            } catch { return "\(error)" }
        }
        #expect(complaint(secret) == "")
        #expect(complaint("/nowhere/auth.key").contains("cannot be read"))
        #expect(complaint("/etc/hostname").contains("not a secret key"))
        chmod(secret, 0o604)
        #expect(complaint(secret).contains("Others may read"))
        chmod(secret, 0o600)
        keys.publish(CurveKeyPair.generate().publicKey.text, as: "auth")
        #expect(complaint(secret).contains("does not belong"))
        #expect(!complaint(secret).contains(identity.keys.secretKey.text))
    }

    @Test func aDirectoryHoldsSeveralKeysOfARoleWhileTheyChange() throws {
        let keys = Keys()
        let first = try keys.identity("auth").keys.publicKey
        let second = CurveKeyPair.generate().publicKey
        keys.publish(second.text, as: "auth.next")
        keys.publish("no key", as: "listings")
        let directory = try PeerDirectory.read(keys.publicKeys)
        #expect(directory.keys == ["auth": [first, second]])
        #expect(directory.roles == [first: "auth", second: "auth"])
    }
}

@Suite struct EndpointTests {
    @Test(arguments: ["tcp://localhost:7101", "tcp://127.0.0.1:1", "tcp://[::1]:7101", "ipc:///tmp/bus"])
    func isRead(_ text: String) { #expect(Endpoint(text)?.description == text) }

    @Test(arguments: [
        "", "localhost:1", "tcp://localhost", "tcp://:1", "tcp://a:0", "tcp://a:70000", "tcp://a:*", "udp://a:1",
        "ipc://",
    ])
    func isRefused(_ text: String) { #expect(Endpoint(text) == nil) }

    @Test func aNameBecomesAllItsAddresses() {
        #expect(Endpoint("tcp://localhost:7101")!.resolved().contains("tcp://127.0.0.1:7101"))
        #expect(Endpoint("tcp://[::1]:7101")!.resolved() == ["tcp://[::1]:7101"])
        #expect(Endpoint("tcp://no-such-name.invalid:7101")!.resolved() == [])
        #expect(Endpoint("ipc:///tmp/bus")!.resolved() == ["ipc:///tmp/bus"])
    }
}

@Suite struct OccasionallyTests {
    @Test func letsThroughOnceAMinuteForEachKeyAndForgets() {
        var (logs, now) = (Occasionally(), ContinuousClock.now)
        let first = [logs.allows("a", at: now), logs.allows("a", at: now + .seconds(59)), logs.allows("b", at: now)]
        #expect(first == [true, false, true])
        now += .seconds(61)
        let again = logs.allows("a", at: now)
        #expect(again)
    }

    @Test func somebodyUnderEverNewNamesIsSilenced() {
        var logs = Occasionally()
        let now = ContinuousClock.now
        let heard = (0..<5000).count { logs.allows("\($0)", at: now) }
        #expect(heard == 512)
        let later = logs.allows("later", at: now + .seconds(61))
        #expect(later)
    }
}
