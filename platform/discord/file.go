package discord

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"net/url"
	"slices"
	"strconv"

	"github.com/disgoorg/disgo/discord"

	"github.com/asidehq/aside/platform"
)

// An upload is a file of a draft: ID is its number among the parts of the request.
type upload struct {
	ID   string `json:"id"`
	Name string `json:"filename"`
}

// body is what a draft is sent as. Its files are parts of the request; disgo would not
// mask what a name may have in it.
func (m draft) body() (any, error) {
	if len(m.files) == 0 {
		return m, nil
	}
	var b bytes.Buffer
	w := multipart.NewWriter(&b)
	for i, f := range m.files {
		if int64(len(f.Data)) > largestFile {
			return nil, platform.Refuse("Discord takes files up to %s; %s has %s", platform.SizeText(largestFile), f.Name, platform.SizeText(int64(len(f.Data))))
		}
		m.Uploads = append(m.Uploads, upload{strconv.Itoa(i), f.Name})
	}
	payload, err := json.Marshal(m)
	if err != nil {
		return nil, err
	}
	parts := []part{{`form-data; name="payload_json"`, "application/json", payload}}
	for i, f := range m.files {
		parts = append(parts, part{multipart.FileContentDisposition(fmt.Sprintf("files[%d]", i), f.Name), f.Type, f.Data})
	}
	for _, p := range parts {
		h := textproto.MIMEHeader{"Content-Disposition": {p.disposition}}
		if p.kind != "" {
			h.Set("Content-Type", p.kind)
		}
		// Nothing fails when it is written to memory.
		out, _ := w.CreatePart(h)
		_, _ = out.Write(p.data)
	}
	_ = w.Close()
	return &discord.MultipartBuffer{Buffer: &b, ContentType: w.FormDataContentType()}, nil
}

type part struct {
	disposition, kind string
	data              []byte
}

// file is an attachment with its bytes, nil if they were not fetched.
func (a attachment) file(data []byte) platform.File {
	f := platform.File{ID: a.ID.String(), Name: platform.CleanName(a.Name), Type: platform.TypeOf(a.Type, data), Size: a.Size, Data: data}
	if data != nil {
		f.Size = int64(len(data))
	}
	return f
}

const downloadTries = 3

// download fetches the files of a message, as many of them as fit. A file that cannot be
// fetched does not hold up the message for long: it arrives with its name alone.
func (s *shard) download(ctx context.Context, m *message, out *platform.Message) error {
	if out.Author.Bot {
		return nil // nobody will read it
	}
	left := s.d.options.FileSize
	for i, a := range m.Attachments {
		if a.Size > left {
			continue
		}
		for tries := range downloadTries {
			data, again, err := s.d.fetch(ctx, a, left)
			if err == nil {
				left -= int64(len(data))
				out.Files[i] = a.file(data)
				break
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			s.log.Warn("a file could not be fetched from Discord", "message", out.ID, "file", i, "reason", err)
			if !again {
				break
			}
			if err := s.d.wait(ctx, backoff(tries)); err != nil {
				return err
			}
		}
	}
	return nil
}

// homes are where Discord keeps files.
var homes = []string{"cdn.discordapp.com", "media.discordapp.net"}

// fetch fetches a file, without the bot's token, and tells whether it makes sense to try
// again. Only Discord's own addresses are asked: whoever could name others would see
// what stands behind a firewall.
func (d *Discord) fetch(ctx context.Context, a attachment, most int64) (data []byte, again bool, err error) {
	from, err := url.Parse(a.URL)
	if err != nil {
		return nil, false, errors.New("its address cannot be read")
	}
	api, err := url.Parse(d.options.APIURL)
	if err != nil {
		return nil, false, errors.New("the address of the API cannot be read")
	}
	if !(from.Scheme == "https" && slices.Contains(homes, from.Host)) && (from.Scheme != api.Scheme || from.Host != api.Host) {
		return nil, false, errors.New("its address is not Discord's")
	}
	ctx, cancel := context.WithTimeout(ctx, filePatience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, from.String(), nil)
	if err != nil {
		return nil, false, errors.New("its address cannot be read")
	}
	response, err := d.http.Do(r)
	if err != nil {
		return nil, true, errors.New("nobody answers")
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, response.StatusCode >= 500 || response.StatusCode == http.StatusTooManyRequests, fmt.Errorf("the answer is %d", response.StatusCode)
	}
	data, err = io.ReadAll(io.LimitReader(response.Body, most+1))
	switch {
	case err != nil:
		return nil, true, errors.New("the answer broke off")
	case int64(len(data)) > most:
		return nil, false, errors.New("it is larger than Discord said")
	case data == nil:
		data = []byte{}
	}
	return data, false, nil
}
