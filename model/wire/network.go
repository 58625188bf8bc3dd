package wire

import (
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"strings"
	"syscall"

	"github.com/asidehq/aside/model"
)

// Unreachable is the error of a request that no response came to.
func (s *Server) Unreachable(err error) *model.Error {
	e := &model.Error{Kind: model.Unavailable, Message: "The model cannot be reached.", Cause: hidden{s.hide(err.Error()), err}}
	var (
		dns       *net.DNSError
		timeout   net.Error
		untrusted *tls.CertificateVerificationError
		notTLS    tls.RecordHeaderError
		alert     tls.AlertError
		asked     *url.Error
	)
	switch {
	case errors.As(err, &dns):
		e.Message = "The model cannot be reached: its address is not known. Check base_url and the network."
	case errors.Is(err, syscall.ECONNREFUSED):
		e.Message = "The model cannot be reached: nothing answers at its address. Is the server running?"
	case errors.As(err, &untrusted):
		e.Message = "The model cannot be reached safely: its server's certificate is not valid."
	case errors.As(err, &notTLS), errors.As(err, &alert), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		e.Message = "The model cannot be reached safely: its server does not speak TLS as it should. Check base_url."
	case errors.As(err, &timeout) && timeout.Timeout():
		e.Message = "The model cannot be reached: its server does not answer."
	case !errors.As(err, &asked), asked.Op == "parse":
		// Nothing was sent, so trying again does not help.
		e.Kind, e.Message = model.BadRequest, "The model cannot be asked. Check base_url."
	case strings.Contains(err.Error(), "unsupported protocol scheme"), strings.Contains(err.Error(), "no Host in request URL"):
		e.Kind, e.Message = model.BadRequest, "The model's address is not one. Check base_url."
	}
	return e
}

// A hidden error says what the one under it says, without the key.
type hidden struct {
	text string
	error
}

func (h hidden) Error() string { return h.text }
func (h hidden) Unwrap() error { return h.error }
