package wire

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"net/http"
	"time"

	"github.com/asidehq/aside/model"
)

// Stream asks with ask, which returns a response whose body is a stream, and has read
// look at the data of every event, which is an object and no error.
func (s *Server) Stream(
	ctx context.Context,
	ask func(context.Context) (*http.Response, *model.Error),
	read func(*Reply, []byte) *model.Error,
) iter.Seq2[model.Delta, error] {
	return func(yield func(model.Delta, error) bool) {
		request, cancel := context.WithCancel(ctx)
		defer cancel()
		response, failure := ask(request)
		if failure == nil {
			defer response.Body.Close()
			reply := Reply{server: s, yield: yield, cancel: cancel}
			failure = reply.follow(bufio.NewReader(response.Body), read)
			if reply.left {
				return
			}
		}
		if failure != nil && ctx.Err() != nil {
			failure = model.Interrupted(ctx)
		}
		if failure != nil {
			yield(model.Delta{}, failure)
		}
	}
}

// A Reply is what has been read of a stream.
type Reply struct {
	server *Server
	yield  func(model.Delta, error) bool
	cancel func()

	left   bool // the caller does not want more
	text   bool // there was some
	closed bool // the server has said that nothing more comes
	end    model.End
	usage  model.Usage
	limit  *time.Timer // on what comes after the end
}

// follow reads the stream to its end, which is yielded, or until something is wrong.
func (r *Reply) follow(body *bufio.Reader, read func(*Reply, []byte) *model.Error) *model.Error {
	if !looksLikeEvents(body) {
		return r.server.notAStream(body)
	}
	defer func() {
		if r.limit != nil {
			r.limit.Stop()
		}
	}()
	var cut error
	for data, err := range events(body) {
		if cut = err; err != nil {
			break
		}
		if failure := r.event(bytes.TrimSpace(data), read); failure != nil || r.left {
			return failure
		}
		if r.closed {
			break
		}
	}
	switch {
	case r.end != "": // the reply is complete, whatever happened then
	case cut != nil:
		return broken(BrokeOff, cut)
	case !r.closed:
		return broken(BrokeOff, errors.New("the stream ended and did not say that it does"))
	case !r.text:
		return broken("The model has answered nothing.", errors.New("there was no text and no reason in the stream"))
	default:
		r.end = model.Done
	}
	r.left = !r.yield(model.Delta{End: r.end, Usage: r.usage}, nil)
	return nil
}

// event reads the data of an event. [DONE] is OpenAI's way to close a stream.
func (r *Reply) event(data []byte, read func(*Reply, []byte) *model.Error) *model.Error {
	switch said := errorIn(data); {
	case bytes.HasPrefix(data, []byte("[DONE]")):
		r.Close()
		return nil
	case len(data) == 0:
		return nil
	case said != "":
		return r.server.failed(said)
	}
	return read(r, data)
}

// Decode reads the data of an event into a value.
func (r *Reply) Decode(data []byte, into any) *model.Error {
	if err := json.Unmarshal(data, into); err != nil {
		return broken("The model's answer made no sense.", fmt.Errorf("read %q: %w", short(r.server.hide(string(data))), err))
	}
	return nil
}

// Say passes text on. Without text it is a sign of life: the server has sent something
// that is not part of the reply, such as the model's reasoning.
func (r *Reply) Say(text string) {
	r.text = r.text || text != ""
	if !r.left && (text != "" || r.end == "") {
		r.left = !r.yield(model.Delta{Text: text}, nil)
	}
}

// Count takes note of the usage. What is zero is not known yet, or any more.
func (r *Reply) Count(u model.Usage) {
	if u.Input > 0 {
		r.usage.Input = u.Input
	}
	if u.Output > 0 {
		r.usage.Output = u.Output
	}
}

// End takes note of why the reply ended. What may still come is the usage.
func (r *Reply) End(end model.End) {
	r.end = end
	if r.limit == nil {
		r.limit = time.AfterFunc(r.server.AfterEnd, r.cancel)
	}
}

// Close takes note that nothing more comes.
func (r *Reply) Close() { r.closed = true }
