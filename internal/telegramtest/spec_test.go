package telegramtest

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestRequestsAreCheckedAgainstTheDescriptionOfTheAPI(t *testing.T) {
	s := New(t)
	if !s.Checked() {
		t.Skip("telegram_api.json, a description of the Bot API, was not found: no request of any test is checked against it. ASIDE_SPECS names the directory that has it.")
	}
	for _, test := range []struct{ name, method, params, words string }{
		{"a message", "sendMessage", `{"chat_id":7,"text":"hi","reply_parameters":{"message_id":1,"allow_sending_without_reply":true}}`, ""},
		{"a message in a form", "sendMessage", `{"chat_id":"7","text":"hi","reply_parameters":"{\"message_id\":1}"}`, ""},
		{"a message to a name", "sendMessage", `{"chat_id":"@name","text":"hi"}`, ""},
		{"buttons", "editMessageText", `{"chat_id":7,"message_id":1,"text":"hi","reply_markup":{"inline_keyboard":[[{"text":"a","callback_data":"a"}]]}}`, ""},
		{"a reaction", "setMessageReaction", `{"chat_id":7,"message_id":1,"reaction":[{"type":"emoji","emoji":"👍"}]}`, ""},
		{"an album of several kinds, in a form", "sendMediaGroup", `{"chat_id":"7","media":"[{\"type\":\"photo\",\"media\":\"attach://a\"},{\"type\":\"video\",\"media\":\"attach://b\"}]"}`, ""},
		{"an album of something else", "sendMediaGroup", `{"chat_id":7,"media":[{"type":"sticker","media":"attach://a"}]}`, "is not photo"},
		{"an album with buttons", "sendMediaGroup", `{"chat_id":7,"media":[],"reply_markup":{}}`, "has reply_markup, which is not described"},
		{"no album", "sendMediaGroup", `{"chat_id":7,"media":{}}`, "is no list"},
		{"no such method", "sendLove", `{}`, "no such method"},
		{"something is missing", "sendMessage", `{"chat_id":7}`, "has no text"},
		{"something is not described", "sendMessage", `{"chat_id":7,"text":"hi","nonce":"n"}`, "has nonce, which is not described"},
		{"a text in place of a number", "editMessageText", `{"chat_id":7,"message_id":"one","text":"hi"}`, "is no whole number"},
		{"a number in place of a text", "sendMessage", `{"chat_id":7,"text":7}`, "is no text"},
		{"a text in place of yes or no", "pinChatMessage", `{"chat_id":7,"message_id":1,"disable_notification":"maybe"}`, "is neither true nor false"},
		{"something else in place of an object", "sendMessage", `{"chat_id":7,"text":"hi","reply_parameters":[]}`, "is no ReplyParameters"},
		{"something wrong deep inside", "editMessageText", `{"chat_id":7,"message_id":1,"text":"hi","reply_markup":{"inline_keyboard":[[{"text":"a","data":"a"}]]}}`, "has data, which is not described"},
		{"one in place of a list", "setMessageReaction", `{"chat_id":7,"message_id":1,"reaction":{"type":"emoji","emoji":"👍"}}`, "is no list"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := &call{method: test.method}
			d := json.NewDecoder(strings.NewReader(test.params))
			d.UseNumber()
			if err := d.Decode(&c.params); err != nil {
				t.Fatal(err)
			}
			err := s.spec.check(c)
			if test.words == "" && err != nil || test.words != "" && (err == nil || !strings.Contains(err.Error(), test.words)) {
				t.Errorf("it says %v", err)
			}
		})
	}
}
