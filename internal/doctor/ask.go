package doctor

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

const (
	platformPatience = 10 * time.Second
	mostAnswered     = 1 << 20
)

// ask asks a platform for something and is the status of its answer, 0 if there is none.
// What went wrong on the way is not told: it may hold the address, and that a password. Nor
// is anybody followed elsewhere, with a token.
func (d *Doctor) ask(ctx context.Context, address string, header http.Header, into any) int {
	ctx, cancel := context.WithTimeout(ctx, platformPatience)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0
	}
	r.Header = header
	client := *d.Client
	client.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	answer, err := client.Do(r)
	if err != nil {
		return 0
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusOK {
		_ = json.NewDecoder(io.LimitReader(answer.Body, mostAnswered)).Decode(into) // what is not there is missed
	}
	return answer.StatusCode
}

// answered tells whether a platform has answered as it does, and reports it if not. check
// is the platform's key in aside.yaml.
func (d *Doctor) answered(name, check string, status int, understood bool) bool {
	switch {
	case status == 0:
		d.bad(check, name+" cannot be reached", "check the network, and platforms."+check+".api_url if it is set")
	case status == http.StatusTooManyRequests || status >= 500:
		d.warn(check, fmt.Sprintf("%s answers with %d %s", name, status, http.StatusText(status)), "try again later; aside run does so by itself")
	case status != http.StatusOK || !understood:
		d.bad(check, fmt.Sprintf("what answers (%d) is not %s", status, name), "check platforms."+check+".api_url")
	default:
		return true
	}
	return false
}
