package telegram

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"mime/multipart"
	"net"
	"net/http"
	"net/textproto"
	"strings"
	"time"

	"github.com/asidehq/aside/platform"
)

// params are the parameters of a request.
type params map[string]any

// An upload is a file that goes with a request, under a name that its parameters use.
type upload struct {
	field string
	file  platform.File
}

// largestAnswer is how much of an answer is read: a hundred updates fit in easily.
const largestAnswer = 32 << 20

// call asks for something. Its error is a *platform.Problem, for errors.As, and never has
// an address in it: that would be the token.
func (t *Telegram) call(ctx context.Context, method string, in params, out any, files ...upload) error {
	limit := patience
	if len(files) > 0 {
		limit = filePatience
	}
	return t.callFor(ctx, limit, method, in, out, files...)
}

func (t *Telegram) callFor(ctx context.Context, limit time.Duration, method string, in params, out any, files ...upload) error {
	chat, _ := in["chat_id"].(int64)
	if left := t.pauses.left(chat, t.now()); left > 0 {
		return &refusal{Problem: &platform.Problem{Outcome: platform.Limited, Reason: askedToWait, RetryAfter: left}}
	}
	body, kind, err := encode(in, files)
	if err != nil {
		return platform.Refuse("this cannot be sent to Telegram")
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, t.options.APIURL+"/bot"+t.options.Token+"/"+method, body)
	if err != nil {
		return platform.Refuse("the address of the Bot API cannot be read: look at platforms.telegram.api_url")
	}
	r.Header.Set("Content-Type", kind)
	response, err := t.http.Do(r)
	if err != nil {
		return unanswered(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(io.LimitReader(response.Body, largestAnswer))
	if err != nil {
		return unknown("Telegram's answer broke off")
	}
	var answer reply
	if json.Unmarshal(data, &answer) != nil || !answer.OK && answer.Code == 0 {
		if response.StatusCode >= 500 {
			return unknown("Telegram has a problem at the moment")
		}
		return unknown("Telegram's answer could not be read")
	}
	if !answer.OK {
		p := t.problem(answer)
		if p.Outcome == platform.Limited {
			t.pauses.until(chat, t.now().Add(p.RetryAfter), t.now())
		}
		return p
	}
	if out != nil && json.Unmarshal(answer.Result, out) != nil {
		return unknown("Telegram's answer could not be read")
	}
	return nil
}

// reply is what Telegram answers.
type reply struct {
	OK          bool            `json:"ok"`
	Result      json.RawMessage `json:"result"`
	Code        int             `json:"error_code"`
	Description string          `json:"description"`
	Parameters  struct {
		RetryAfter float64 `json:"retry_after"`
		MovedTo    int64   `json:"migrate_to_chat_id"`
	} `json:"parameters"`
}

// encode is what a request is sent as: JSON, or a form if files go with it.
func encode(in params, files []upload) (io.Reader, string, error) {
	if len(files) == 0 {
		data, err := json.Marshal(in)
		return bytes.NewReader(data), "application/json", err
	}
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for field, value := range in {
		text, ok := value.(string)
		if !ok {
			data, err := json.Marshal(value)
			if err != nil {
				return nil, "", err
			}
			text = string(data)
		}
		_ = w.WriteField(field, text) // into memory
	}
	for _, u := range files {
		h := textproto.MIMEHeader{"Content-Disposition": {multipart.FileContentDisposition(u.field, u.file.Name)}}
		h.Set("Content-Type", "application/octet-stream")
		if u.file.Type != "" {
			h.Set("Content-Type", u.file.Type)
		}
		part, _ := w.CreatePart(h)
		_, _ = part.Write(u.file.Data)
	}
	_ = w.Close()
	return &b, w.FormDataContentType(), nil
}

// A refusal is a problem with Telegram's own words, for whoever decides on them.
type refusal struct {
	*platform.Problem
	code        int
	description string // in lower case
	movedTo     int64
}

// Unwrap makes it a *platform.Problem for errors.As.
func (r *refusal) Unwrap() error { return r.Problem }

// says tells whether an error has one of some words of Telegram's in it.
func says(err error, words ...string) bool {
	var r *refusal
	if !errors.As(err, &r) {
		return false
	}
	for _, w := range words {
		if strings.Contains(r.description, w) {
			return true
		}
	}
	return false
}

// What Telegram says that is decided on.
const (
	notModified  = "message is not modified"
	editNotFound = "message to edit not found"
	idInvalid    = "message_id_invalid"
	noSuchDelete = "message to delete not found"
	cantParse    = "can't parse entities"
	noTextThere  = "there is no text in the message to edit"
)

// outcomeOf is what an error says about what was asked.
func outcomeOf(err error) platform.Outcome {
	var p *platform.Problem
	if err == nil {
		return platform.Delivered
	}
	if !errors.As(err, &p) {
		return platform.Unknown
	}
	return p.Outcome
}

func unknown(reason string) error {
	return &platform.Problem{Outcome: platform.Unknown, Reason: reason}
}

// unanswered says what it means that there is no answer. An error of net/http has the
// address in it, so its text is not used.
func unanswered(err error) error {
	var dialling *net.OpError
	if errors.As(err, &dialling) && dialling.Op == "dial" {
		return &platform.Problem{Outcome: platform.Failed, Reason: "Telegram cannot be reached"}
	}
	return unknown("Telegram did not answer")
}

const (
	askedToWait = "Telegram asks to wait"
	wrongToken  = "Telegram does not accept the bot's token: get it from @BotFather and put it into platforms.telegram.token"
)

// What Telegram's words mean to a person. The first that fits counts.
var reasons = []struct{ words, reason string }{
	{"bot was blocked by the user", "this person has blocked the bot"},
	{"user is deactivated", "this person's account does not exist any more"},
	{"can't initiate conversation", "this person has to write to the bot first"},
	{"bot was kicked", "the bot is not in this chat any more"},
	{"bot is not a member", "the bot is not in this chat"},
	{"chat not found", "there is no such chat on Telegram, or the bot is not in it"},
	{"message thread not found", "there is no such topic on Telegram any more"},
	{"topic_closed", "the topic is closed"},
	{"topic_id_invalid", "there is no such topic on Telegram any more"},
	{"not a forum", "topics are off in this chat: switch them on in its settings"},
	{editNotFound, "there is no such message on Telegram any more"},
	{idInvalid, "there is no such message on Telegram any more"},
	{"message to react not found", "there is no such message on Telegram any more"},
	{"message to pin not found", "there is no such message on Telegram any more"},
	{"message can't be edited", "only messages of the bot itself can be edited"},
	{"message can't be deleted", "the bot may not delete this message: make it an administrator who may delete messages"},
	{"reaction_invalid", "Telegram does not take this emoji as a reaction"},
	{"message text is empty", "Telegram takes no empty messages"},
	{"file must be non-empty", "Telegram takes no empty files"},
	{"message is too long", "the text is too long for Telegram"},
	{"method is available only for supergroups", "this works only in supergroups on Telegram"},
	{"user is an administrator", "Telegram does not do this to administrators"},
	{"can't remove chat owner", "Telegram does not do this to the owner of a chat"},
	{"not enough rights", "the bot lacks the right for this: make it an administrator of the chat with that right"},
	{"chat_admin_required", "the bot lacks the right for this: make it an administrator of the chat with that right"},
	{"user not found", "there is no such person in this chat"},
	{"request entity too large", "this is too large for Telegram"},
}

// problem says what an answer means that is no success.
func (t *Telegram) problem(a reply) *refusal {
	r := &refusal{code: a.Code, description: strings.ToLower(a.Description), movedTo: a.Parameters.MovedTo}
	switch {
	case a.Code == http.StatusTooManyRequests:
		after := time.Duration(min(max(a.Parameters.RetryAfter, 1), time.Hour.Seconds()) * float64(time.Second))
		r.Problem = &platform.Problem{Outcome: platform.Limited, Reason: askedToWait, RetryAfter: after}
	case a.Code == http.StatusUnauthorized, a.Code == http.StatusNotFound:
		r.Problem = platform.Refuse("%s", wrongToken)
	case a.Code >= 500:
		// It may have been done before something broke.
		r.Problem = &platform.Problem{Outcome: platform.Unknown, Reason: "Telegram has a problem at the moment"}
	default:
		for _, known := range reasons {
			if strings.Contains(r.description, known.words) {
				r.Problem = platform.Refuse("%s", known.reason)
				return r
			}
		}
		words := strings.TrimPrefix(strings.ReplaceAll(a.Description, t.options.Token, "…"), "Bad Request: ")
		r.Problem = platform.Refuse("Telegram refused: %s", short(words))
	}
	return r
}

// receipt is what became of a request that writes.
func receipt(id string, err error) platform.Receipt {
	if err == nil {
		return platform.Receipt{Outcome: platform.Delivered, ID: id}
	}
	var p *platform.Problem
	if !errors.As(err, &p) {
		return platform.Receipt{Outcome: platform.Unknown, Reason: "Telegram could not be asked"}
	}
	return platform.Receipt{Outcome: p.Outcome, Reason: p.Reason, RetryAfter: p.RetryAfter, Gone: says(err, editNotFound, idInvalid)}
}

// at asks for something in a room, and once more where its group has moved meanwhile.
func (t *Telegram) at(ctx context.Context, room platform.Room, ask func(place) error) error {
	p, err := t.place(room)
	if err != nil {
		return err
	}
	err = ask(p)
	var r *refusal
	if errors.As(err, &r) && r.movedTo != 0 && r.movedTo != p.chat {
		t.moved(ctx, p.chat, r.movedTo)
		p.chat = r.movedTo
		err = ask(p)
	}
	return err
}
