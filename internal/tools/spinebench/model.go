package main

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// answer is the model. It streams one short reply that says what it answers, at once.
func answer(w http.ResponseWriter, r *http.Request) {
	var request struct {
		Messages []struct{ Content string }
	}
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil || len(request.Messages) == 0 {
		http.Error(w, "this is no question", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "text/event-stream")
	for chunk := range strings.SplitAfterSeq(replyTo(request.Messages[len(request.Messages)-1].Content), " ") {
		text, _ := json.Marshal(chunk) // cannot fail
		fmt.Fprintf(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{\"content\":%s}}]}\n\n", text)
	}
	_, _ = io.WriteString(w, "data: {\"id\":\"1\",\"object\":\"chat.completion.chunk\",\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n")
}

// replyTo is what the model answers, and therefore what must stand in the room. Asked to
// sum a conversation up it is as brief: a model's own time is not ours.
func replyTo(text string) string {
	if len(text) > 200 {
		return "They wrote, and were answered."
	}
	return "You wrote " + text + ", and here is the answer."
}
