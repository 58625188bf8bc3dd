package cron

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/asidehq/aside/internal/store"
)

// HookPath is where programs start jobs.
const HookPath = "/hooks/cron/{id}"

const (
	mostBody  = 64 << 10
	hookSkew  = 5 * time.Minute // that clocks may differ by, and a request be under way
	hookAgain = "60"            // seconds until another try makes sense
)

// A Hook lets programs that know a secret start jobs.
type Hook struct {
	Book   *Book
	Secret string
}

// ServeHTTP starts a job. The signature is over the time and the body, and counts once, for
// whichever job. Who does not know the secret learns nothing, not even which jobs there are.
func (h *Hook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, mostBody))
	if err != nil {
		answer(w, http.StatusRequestEntityTooLarge, "the body has more than 64 KB, or did not arrive")
		return
	}
	const unknown = "the signature is wrong or too old, or there is no such job"
	signature, ok := h.signed(r, body)
	if !ok { // and the jobs are not even looked at
		answer(w, http.StatusUnauthorized, unknown)
		return
	}
	job, err := h.Book.Job(r.Context(), r.PathValue("id"))
	var none *Problem
	switch {
	case errors.As(err, &none):
		answer(w, http.StatusUnauthorized, unknown)
		return
	case err != nil:
		answer(w, http.StatusServiceUnavailable, "the jobs cannot be reached at the moment; try again")
		return
	case !utf8.Valid(body):
		answer(w, http.StatusUnsupportedMediaType, "the body is not text in UTF-8")
		return
	}
	run, err := h.Book.Run(r.Context(), job.Number, Trigger{Key: signature, Began: byHook, Source: "the program that has started this run", Data: string(body)})
	switch {
	case errors.Is(err, ErrBefore):
		answer(w, http.StatusConflict, "this request was made before; sign a new one")
	case err != nil:
		answer(w, http.StatusServiceUnavailable, "the job could not be started; try again")
	case run.Outcome == store.CronSkipped:
		w.Header().Set("Retry-After", hookAgain)
		answer(w, http.StatusTooManyRequests, run.Why)
	default:
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(http.StatusAccepted)
		_ = json.NewEncoder(w).Encode(map[string]string{"cronId": job.ID(), "run": string(run.Outcome)})
	}
}

// signed tells whether a request was signed with the secret, and lately.
func (h *Hook) signed(r *http.Request, body []byte) (signature string, ok bool) {
	at := r.Header.Get("X-Aside-Timestamp")
	mac := hmac.New(sha256.New, []byte(h.Secret))
	mac.Write([]byte(at + "."))
	mac.Write(body)
	want := mac.Sum(nil)
	given, err := hex.DecodeString(strings.TrimPrefix(r.Header.Get("X-Aside-Signature"), "sha256="))
	seconds, timeErr := strconv.ParseInt(at, 10, 64)
	age := h.Book.Now().Sub(time.Unix(seconds, 0))
	ok = hmac.Equal(given, want) && err == nil && timeErr == nil && age < hookSkew && age > -hookSkew
	return hex.EncodeToString(want), ok
}

func answer(w http.ResponseWriter, status int, why string) {
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(map[string]string{"error": why}) // whoever asked is gone
}
