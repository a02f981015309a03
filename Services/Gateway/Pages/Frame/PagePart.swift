/// A part of a page that a vertical brings: `{{#part}}{{#model}}{{> *template}}{{/model}}{{/part}}`.
struct PagePart {
    var template: String
    var model: any Sendable
}
