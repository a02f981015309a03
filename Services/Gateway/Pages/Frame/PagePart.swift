/// A part of a page that somebody else than the page decides on: `{{#part}}{{#model}}{{> *template}}{{/model}}{{/part}}`.
struct PagePart {
    var template: String
    var model: any Sendable
}
