package main

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

const goodMorning = `Here you are. <actions><voice>Good morning</voice></actions>`

// sound is how a page of Ogg begins, with what is said in it.
func sound(text string) string { return "OggS\x00\x02\x00\x00\x00\x00\x00\x00" + text }

// A speech server says aloud what it is asked to, or fails.
func speechServer(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked struct{ Input, Voice string }
		switch err := json.NewDecoder(r.Body).Decode(&asked); {
		case err != nil || r.URL.Path != "/v1/audio/speech" || r.Header.Get("Authorization") != "Bearer speech-key-12345":
			http.Error(w, "not a request for speech", http.StatusBadRequest)
		case strings.Contains(asked.Input, "hoarse"):
			http.Error(w, "speech-key-12345 has lost its voice", http.StatusInternalServerError)
		default:
			w.Write([]byte(sound(asked.Voice + ": " + asked.Input)))
		}
	}))
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

func TestAVoiceIsHeardOnThePageAndOnDiscord(t *testing.T) {
	s := newScene(t, "speech: {provider: openai, model: tts, voice: nova, base_url: "+speechServer(t)+", api_key: speech-key-12345}\nactions: {followup_depth: 0}\n")
	d := s.discord
	s.model.replies(goodMorning)
	s.isAnswered("lobby", s.say("lobby", "speak"), "Here you are.")
	s.holds("lobby", "agent", "", "voice.ogg", sound("nova: Good morning"))

	message := s.ask(d.Ada, d.General, "speak", goodMorning)
	s.says(d.General, message, "Here you are.")
	heard := 0
	for _, p := range d.Posts(d.General) {
		for _, a := range p.Attachments {
			heard++
			if a.Filename != "voice.ogg" || a.Size != int64(len(sound("nova: Good morning"))) {
				t.Errorf("attached is %+v", a)
			}
		}
	}
	if heard != 1 {
		t.Errorf("%d voices were heard", heard)
	}

	s.model.replies(`Here you are. <actions><voice>I am hoarse</voice></actions>`)
	hoarse := s.say("bar", "sing")
	s.isAnswered("bar", hoarse, "Here you are.\n\nI am hoarse\n\nFailed: could not say it aloud: The model does not work at the moment.")
	if said := s.output.String(); strings.Contains(said, "speech-key") || !strings.Contains(said, "a text was not said aloud") {
		t.Errorf("the log says %s", said)
	}
}

func TestAProgramSpeaks(t *testing.T) {
	s := newScene(t, `speech: {provider: command, command: [/bin/sh, -c, "printf RIFF....WAVE; cat"]}`+"\n")
	s.model.replies(goodMorning)
	s.isAnswered("lobby", s.say("lobby", "speak"), "Here you are.")
	s.holds("lobby", "agent", "", "voice.wav", "RIFF....WAVEGood morning\n")
}
