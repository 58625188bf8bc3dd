package gemini

// The part of the API that a conversation needs. A member that is a pointer or a list
// may be null or missing in what a server sends.

// A request is what the API is sent.
type request struct {
	SystemInstruction *content   `json:"systemInstruction,omitempty"`
	Contents          []content  `json:"contents"`
	GenerationConfig  *generated `json:"generationConfig,omitempty"`
}

type generated struct {
	MaxOutputTokens int `json:"maxOutputTokens,omitempty"`
}

// A content is what somebody says: user or model.
type content struct {
	Role  string `json:"role,omitempty"`
	Parts []part `json:"parts"`
}

// A part is a text or an image.
type part struct {
	Text       string `json:"text,omitempty"`
	Thought    bool   `json:"thought,omitempty"` // the text is the model's reasoning
	InlineData *blob  `json:"inlineData,omitempty"`
}

type blob struct {
	MIMEType string `json:"mimeType"`
	Data     []byte `json:"data"`
}

// A chunk is an event of the stream.
type chunk struct {
	Candidates []struct {
		Content      content `json:"content"`
		FinishReason string  `json:"finishReason"`
	} `json:"candidates"`
	PromptFeedback struct {
		BlockReason string `json:"blockReason"`
	} `json:"promptFeedback"`
	UsageMetadata struct {
		PromptTokenCount     int `json:"promptTokenCount"`
		CandidatesTokenCount int `json:"candidatesTokenCount"`
		ThoughtsTokenCount   int `json:"thoughtsTokenCount"`
	} `json:"usageMetadata"`
}
