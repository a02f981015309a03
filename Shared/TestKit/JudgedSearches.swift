package import WireProtocol

extension SearchJudging.Search {
    /// What it looks for; of a search that the test has made itself.
    package var asked: WantedQuery {
        get { try! query.read() }
        set { query = PassedOn(newValue) }
    }
}
