package config

// Search says what the web is searched with: the first of them that is configured.
type Search struct {
	SearXNG URL        `yaml:"searxng" schemes:"https,http" doc:"The address of a SearXNG, such as https://search.example.com. Its settings have to list json under search.formats."`
	Brave   *SearchKey `yaml:"brave" doc:"Brave's search engine."`
	Tavily  *SearchKey `yaml:"tavily" doc:"Tavily's search engine."`
}

// A SearchKey is what a search engine wants to be asked with.
type SearchKey struct {
	APIKey Secret `yaml:"api_key" filled:"true" doc:"The key."`
	APIURL URL    `yaml:"api_url" schemes:"https,http" doc:"Where it is asked, if not at its own address."`
}
