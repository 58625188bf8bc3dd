package slack

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/asidehq/aside/platform"
)

// upload posts files with a text, as one message.
//
// They are uploaded one by one, which nobody sees, and shared with one request. Which files
// were to be shared is remembered before that: if the answer is lost, Slack is asked whether
// they are. After a restart that is not known any more, and the room's history is looked
// through for the agent's message with files of these names and sizes.
func (s *Slack) upload(ctx context.Context, at place, post platform.Post, key string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, filePatience)
	defer cancel()
	var ids []string
	var files []map[string]string
	for _, f := range post.Files {
		id, err := s.send(ctx, f)
		if err != nil {
			return "", err
		}
		ids = append(ids, id)
		files = append(files, map[string]string{"id": id, "title": f.Name})
	}
	packed, err := json.Marshal(files)
	if err != nil {
		return "", err
	}
	values := url.Values{"files": {string(packed)}, "channel_id": {at.channel}}
	if at.thread != "" {
		values.Set("thread_ts", at.thread)
	}
	if text := mrkdwn(post.Text, false); text != "" {
		values.Set("initial_comment", text)
	}
	s.sent.change(key, func(t *try) { t.files, t.doubt, t.since = ids, true, s.now() })
	err = s.call(ctx, "files.completeUploadExternal", values, nil)
	if err != nil && outcome(err) != platform.Unknown {
		s.sent.change(key, func(t *try) { t.files, t.doubt = nil, false })
	}
	if err != nil {
		return "", err
	}
	id, err := s.shared(ctx, at, ids)
	switch {
	case refused(err):
		return "", nil // it was shared, and where it stands is not for the app to know
	case err == nil && id == "":
		return "", errNotShown
	case err != nil:
		return "", &platform.Problem{Outcome: platform.Unknown, Reason: errNotShown.Reason, RetryAfter: receipt("", err).RetryAfter}
	}
	return id, nil
}

// errNotShown is what is known of files that Slack was asked to share.
var errNotShown = &platform.Problem{Outcome: platform.Unknown, Reason: "Slack does not say yet whether the file stands there"}

// send uploads a file. Nobody sees it yet.
func (s *Slack) send(ctx context.Context, f platform.File) (id string, err error) {
	switch size := int64(len(f.Data)); {
	case size == 0:
		return "", platform.Refuse("Slack takes no empty files, and %s is empty", f.Name)
	case size > s.Limits().FileSize:
		return "", platform.Refuse("Slack takes files up to %s here; %s has %s", platform.SizeText(s.Limits().FileSize), f.Name, platform.SizeText(size))
	}
	var to struct {
		URL string `json:"upload_url"`
		ID  string `json:"file_id"`
	}
	if err := s.call(ctx, "files.getUploadURLExternal", url.Values{"filename": {f.Name}, "length": {strconv.Itoa(len(f.Data))}}, &to); err != nil {
		return "", err
	}
	if !s.trusted(to.URL) || to.ID == "" {
		return "", &platform.Problem{Outcome: platform.Failed, Reason: "Slack does not say where to put the file"}
	}
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	part, err := w.CreateFormFile("file", f.Name)
	if err == nil {
		_, err = part.Write(f.Data)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		return "", err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, to.URL, &body)
	if err != nil {
		return "", err
	}
	r.Header.Set("Content-Type", w.FormDataContentType())
	failed := &platform.Problem{Outcome: platform.Failed, Reason: "the file could not be uploaded to Slack"}
	response, err := s.http.Do(r)
	if err != nil {
		return "", failed
	}
	defer response.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(response.Body, largestRequest))
	if response.StatusCode != http.StatusOK {
		return "", failed
	}
	return to.ID, nil
}

const sharedTries = 6

// shared is the message in which files were shared: Slack does that some time after it was
// asked to. "" is that they were not, as far as Slack says.
func (s *Slack) shared(ctx context.Context, at place, ids []string) (string, error) {
	for tries := range sharedTries {
		if tries > 0 {
			if err := s.wait(ctx, 100*time.Millisecond<<tries); err != nil {
				break
			}
		}
		var info struct {
			File struct {
				Shares map[string]map[string][]struct {
					TS string `json:"ts"`
				} `json:"shares"`
			} `json:"file"`
		}
		if err := s.call(ctx, "files.info", url.Values{"file": {ids[0]}}, &info); err != nil {
			return "", err
		}
		for _, of := range info.File.Shares { // public, private
			for _, share := range of[at.channel] {
				if messageTS.MatchString(share.TS) {
					return share.TS, nil
				}
			}
		}
	}
	return "", ctx.Err()
}

// file is a file of a message with its bytes, nil if they were not fetched.
func (f file) file(data []byte) platform.File {
	out := platform.File{ID: f.ID, Name: platform.CleanName(f.Name), Type: platform.TypeOf(f.Type, data), Size: f.Size, Data: data}
	if data != nil {
		out.Size = int64(len(data))
	}
	return out
}

const downloadTries = 3

// download fetches the files of a message, as many of them as fit. A file that cannot be
// fetched does not hold up the message for long: it arrives with its name alone. It returns
// false if the context ends first.
func (r *receiver) download(ctx context.Context, e *event, out *platform.Message) bool {
	if out.Author.Bot {
		return true // nobody will read it
	}
	left := r.s.options.FileSize
	for i, f := range e.Files {
		if f.Size > left {
			continue
		}
		for tries := range downloadTries {
			data, again, err := r.s.fetch(ctx, f, left)
			if err == nil {
				left -= int64(len(data))
				out.Files[i] = f.file(data)
				break
			}
			if ctx.Err() != nil {
				return false
			}
			r.s.log.Warn("a file could not be fetched from Slack", "message", out.ID, "file", i, "reason", err)
			if !again {
				break
			}
			if r.s.wait(ctx, backoff(tries)) != nil {
				return false
			}
		}
	}
	return true
}

// trusted tells whether an address is Slack's, so that it may get the token and be asked:
// whoever could name others would learn the one and see what stands behind a firewall.
func (s *Slack) trusted(address string) bool {
	u, err := url.Parse(address)
	if err != nil {
		return false
	}
	host := strings.ToLower(u.Host)
	return u.Scheme == "https" && (strings.HasSuffix(host, ".slack.com") || host == "slack.com") || u.Scheme == s.api.Scheme && u.Host == s.api.Host
}

// fetch fetches a file, and tells whether it makes sense to try again.
func (s *Slack) fetch(ctx context.Context, f file, most int64) (data []byte, again bool, err error) {
	address := f.Download
	if address == "" {
		address = f.Private
	}
	if !s.trusted(address) {
		return nil, false, errors.New("its address is not Slack's")
	}
	ctx, cancel := context.WithTimeout(ctx, filePatience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, false, errors.New("its address cannot be read")
	}
	r.Header.Set("Authorization", "Bearer "+s.options.BotToken)
	response, err := s.http.Do(r)
	if err != nil {
		return nil, true, errors.New("nobody answers")
	}
	defer response.Body.Close()
	status := response.StatusCode
	if status != http.StatusOK {
		return nil, status >= 500 || status == http.StatusTooManyRequests, fmt.Errorf("the answer is %d", status)
	}
	data, err = io.ReadAll(io.LimitReader(response.Body, most+1))
	switch {
	case err != nil:
		return nil, true, errors.New("the answer broke off")
	case int64(len(data)) > most:
		return nil, false, errors.New("it is larger than Slack said")
	case int64(len(data)) != f.Size && bytes.HasPrefix(bytes.TrimSpace(data), []byte("<!DOCTYPE")):
		// Where the app lacks the scope files:read, Slack asks it to sign in.
		return nil, false, errors.New("the app may not read it: add the scope files:read")
	case data == nil:
		data = []byte{}
	}
	return data, false, nil
}
