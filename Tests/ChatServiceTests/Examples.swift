import FoundationEssentials
import WireProtocol

@testable import ChatService

// What the tests' rooms, spots and people are made of.

let noon = Date(timeIntervalSince1970: 1_790_000_000)
/// So many minutes after noon.
func after(_ minutes: Double) -> Date { noon + minutes * 60 }

let maya = PersonID("00000000-0000-4000-8000-000000000001")!
let tom = PersonID("00000000-0000-4000-8000-000000000002")!
let lin = PersonID("00000000-0000-4000-8000-000000000003")!
let kim = PersonID("00000000-0000-4000-8000-000000000004")!

/// Maya's, and Tom has claimed it.
let spot = Subject(kind: .spot, id: ID("00000000-0000-7000-8000-0000000000aa")!)
let picture = String(repeating: "a", count: 64)

func facts(
    _ title: String? = "By the library", of owner: PersonID = maya, with partners: [PersonID] = [tom],
    isOpen: Bool = true, isOpenToAll: Bool? = nil, photo: String? = picture
) -> RoomSubjectFacts {
    RoomSubjectFacts(
        title: title, photo: photo, owner: owner, partners: partners, isOpen: isOpen, isOpenToAll: isOpenToAll)
}

func draft(_ text: String = "Hello", id: MessageID = .new(), photo: String? = nil) -> MessageDraft {
    MessageDraft(id: id, text: text, photo: photo)
}

/// Tom's room with Maya about her spot, as he sees it.
func room(_ change: (inout ChatRoom) -> Void = { _ in }) -> ChatRoom {
    let about = RoomAbout(subject: spot, title: "By the library", photo: nil, owner: maya)
    var room = ChatRoom.open(.new(at: noon), about: about, by: tom, with: maya, at: noon).room
    change(&room)
    return room
}

/// The fields that an error is about, with their codes.
func fields(of error: (any Error)?) -> Set<String> {
    guard case .invalid(let errors)? = error as? ChatError else { return [] }
    return Set(errors.map { "\($0.field): \($0.code)" })
}
