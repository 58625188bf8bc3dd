package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"

	"github.com/asidehq/aside/platform"
)

const downloadTries = 3

// download fetches the files of a message, as many of them as fit. A file that cannot be
// fetched does not hold up the message for long: it arrives with its name alone.
func (t *Telegram) download(ctx context.Context, files []media, out *platform.Message) error {
	left := t.options.FileSize
	for i, f := range files {
		out.Files = append(out.Files, f.file(nil))
		if out.Author.Bot || f.Size > left || f.ID == "" {
			continue // nobody will read it, or it does not fit
		}
		for tries := range downloadTries {
			data, err := t.fetch(ctx, f, left)
			if err == nil {
				left -= int64(len(data))
				out.Files[i] = f.file(data)
				break
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			t.log.Warn("a file could not be fetched from Telegram", "message", out.ID, "file", i, "reason", err)
			if outcomeOf(err) == platform.Refused {
				break
			}
			if err := t.wait(ctx, backoff(tries)); err != nil {
				return err
			}
		}
	}
	return nil
}

// file is a file with its bytes, nil if they were not fetched.
func (f media) file(data []byte) platform.File {
	out := platform.File{ID: f.ID, Name: platform.CleanName(f.Name), Type: platform.TypeOf(f.Type, data), Size: f.Size, Data: data}
	if data != nil {
		out.Size = int64(len(data))
	}
	return out
}

// fetch fetches a file. Its address has the token in it, so that it is never shown.
func (t *Telegram) fetch(ctx context.Context, f media, most int64) ([]byte, error) {
	var found struct {
		Path string `json:"file_path"`
	}
	if err := t.call(ctx, "getFile", params{"file_id": f.ID}, &found); err != nil {
		return nil, err
	}
	if found.Path == "" || strings.Contains(found.Path, "..") {
		return nil, platform.Refuse("Telegram does not say where it is")
	}
	from, err := url.JoinPath(t.options.APIURL, "file", "bot"+t.options.Token, found.Path)
	if err != nil {
		return nil, platform.Refuse("its address cannot be read")
	}
	ctx, cancel := context.WithTimeout(ctx, filePatience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, platform.Refuse("its address cannot be read")
	}
	response, err := t.http.Do(r)
	if err != nil {
		return nil, errors.New("nobody answers")
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		if response.StatusCode >= 500 || response.StatusCode == http.StatusTooManyRequests {
			return nil, fmt.Errorf("the answer is %d", response.StatusCode)
		}
		return nil, platform.Refuse("the answer is %d", response.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(response.Body, most+1))
	switch {
	case err != nil:
		return nil, errors.New("the answer broke off")
	case int64(len(data)) > most:
		return nil, platform.Refuse("it is larger than Telegram said")
	case data == nil:
		data = []byte{}
	}
	return data, nil
}
