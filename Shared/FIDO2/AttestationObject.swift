import CFIDO2

/// An attestation object taken apart by libcbor: newer versions of libfido2 do so themselves (`fido_cred_set_attobj`), Debian's does not.
struct AttestationObject {
    private(set) var format = ""
    private(set) var authenticatorData: [UInt8] = []
    /// As CBOR, for libfido2 to read.
    private(set) var statement: [UInt8] = []
    private(set) var statementIsEmpty = false

    /// - Throws: `.malformed` where it is not one map, and nothing after it, with each of its three entries once.
    init(_ bytes: [UInt8]) throws(FIDO2Error) {
        guard bytes.count <= FIDO2.longest, AnnouncedItems.fit(bytes[...]) else { throw .malformed }
        // libcbor goes no deeper than 2048.
        var result = cbor_load_result()
        var root = cbor_load(bytes, bytes.count, &result)
        defer { if root != nil { cbor_decref(&root) } }
        guard let map = root, result.read == bytes.count, cbor_isa_map(map), let pairs = cbor_map_handle(map) else {
            throw .malformed
        }
        var seen: Set<String> = []
        for index in 0..<cbor_map_size(map) {
            guard let key = Self.text(pairs[index].key), seen.insert(key).inserted, let value = pairs[index].value
            else { throw .malformed }
            switch key {
            case "fmt": format = Self.text(value) ?? ""
            case "authData": authenticatorData = Self.bytes(value)
            case "attStmt": statement = try takeStatement(value)
            default: break
            }
        }
        guard !format.isEmpty, !authenticatorData.isEmpty, !statement.isEmpty else { throw .malformed }
    }

    private mutating func takeStatement(_ item: UnsafeMutablePointer<cbor_item_t>) throws(FIDO2Error) -> [UInt8] {
        guard cbor_isa_map(item) else { throw .malformed }
        statementIsEmpty = cbor_map_size(item) == 0
        // What was read from so many bytes is written in no more.
        var buffer = [UInt8](repeating: 0, count: FIDO2.longest)
        let count = cbor_serialize(item, &buffer, buffer.count)
        guard count > 0 else { throw .malformed }
        return Array(buffer.prefix(count))
    }

    private static func text(_ item: UnsafeMutablePointer<cbor_item_t>?) -> String? {
        guard let item, cbor_isa_string(item), cbor_string_is_definite(item) else { return nil }
        let count = cbor_string_length(item)
        guard count > 0, let handle = cbor_string_handle(item) else { return nil }
        return String(validating: UnsafeBufferPointer(start: handle, count: count), as: UTF8.self)
    }

    private static func bytes(_ item: UnsafeMutablePointer<cbor_item_t>) -> [UInt8] {
        guard cbor_isa_bytestring(item), cbor_bytestring_is_definite(item) else { return [] }
        let count = cbor_bytestring_length(item)
        guard count > 0, let handle = cbor_bytestring_handle(item) else { return [] }
        return Array(UnsafeBufferPointer(start: handle, count: count))
    }
}
