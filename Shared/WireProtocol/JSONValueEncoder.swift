// How `Encodable` types reach a `JSONWriter`: the three kinds of containers, each a name of what the writer has open.

/// Stands for one value that is being written.
struct JSONValueEncoder: Encoder {
    let writer: JSONWriter
    let serial: Int
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        writer.decide(serial, isObject: true)
        return KeyedEncodingContainer(JSONObjectContainer(writer: writer, serial: serial))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        writer.decide(serial, isObject: false)
        return JSONArrayContainer(writer: writer, serial: serial)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { JSONSingleContainer(writer: writer) }
}

struct JSONObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter
    let serial: Int
    var codingPath: [any CodingKey] { [] }

    private func member(_ key: Key) -> Bool { writer.member(key.stringValue, of: serial) }

    func encodeNil(forKey key: Key) { if member(key) { writer.writeNull() } }
    func encode(_ value: Bool, forKey key: Key) { if member(key) { writer.writeFlag(value) } }
    func encode(_ value: String, forKey key: Key) { if member(key) { writer.writeText(value) } }
    func encode(_ value: Int, forKey key: Key) { if member(key) { writer.writeInteger(value) } }
    func encode(_ value: Int64, forKey key: Key) { if member(key) { writer.writeInteger(value) } }
    func encode(_ value: Double, forKey key: Key) {
        if member(key) { writer.writeNumber(value.description, isFinite: value.isFinite) }
    }
    func encode<Value: Encodable>(_ value: Value, forKey key: Key) throws { if member(key) { try writer.write(value) } }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        let nested = member(key) ? writer.open(true) : serial
        return KeyedEncodingContainer(JSONObjectContainer<Nested>(writer: writer, serial: nested))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        JSONArrayContainer(writer: writer, serial: member(key) ? writer.open(false) : serial)
    }

    func superEncoder() -> any Encoder {
        writer.giveUp()
        return JSONValueEncoder(writer: writer, serial: serial)
    }

    func superEncoder(forKey key: Key) -> any Encoder { superEncoder() }
}

struct JSONArrayContainer: UnkeyedEncodingContainer {
    let writer: JSONWriter
    let serial: Int
    private(set) var count = 0
    var codingPath: [any CodingKey] { [] }

    init(writer: JSONWriter, serial: Int) {
        self.writer = writer
        self.serial = serial
    }

    private mutating func element() -> Bool {
        count += 1
        return writer.element(of: serial)
    }

    mutating func encodeNil() { if element() { writer.writeNull() } }
    mutating func encode<Value: Encodable>(_ value: Value) throws { if element() { try writer.write(value) } }

    mutating func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        let nested = element() ? writer.open(true) : serial
        return KeyedEncodingContainer(JSONObjectContainer<Nested>(writer: writer, serial: nested))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        JSONArrayContainer(writer: writer, serial: element() ? writer.open(false) : serial)
    }

    func superEncoder() -> any Encoder {
        writer.giveUp()
        return JSONValueEncoder(writer: writer, serial: serial)
    }
}

struct JSONSingleContainer: SingleValueEncodingContainer {
    let writer: JSONWriter
    var codingPath: [any CodingKey] { [] }

    func encodeNil() { writer.writeNull() }
    func encode(_ value: Bool) { writer.writeFlag(value) }
    func encode(_ value: String) { writer.writeText(value) }
    func encode(_ value: Double) { writer.writeNumber(value.description, isFinite: value.isFinite) }
    func encode(_ value: Float) { writer.writeNumber(value.description, isFinite: value.isFinite) }
    func encode(_ value: Int) { writer.writeInteger(value) }
    func encode(_ value: Int8) { writer.writeInteger(value) }
    func encode(_ value: Int16) { writer.writeInteger(value) }
    func encode(_ value: Int32) { writer.writeInteger(value) }
    func encode(_ value: Int64) { writer.writeInteger(value) }
    func encode(_ value: UInt) { writer.writeInteger(value) }
    func encode(_ value: UInt8) { writer.writeInteger(value) }
    func encode(_ value: UInt16) { writer.writeInteger(value) }
    func encode(_ value: UInt32) { writer.writeInteger(value) }
    func encode(_ value: UInt64) { writer.writeInteger(value) }
    func encode<Value: Encodable>(_ value: Value) throws { try writer.write(value) }
}
