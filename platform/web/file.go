package web

import (
	"bytes"
	"mime"
	"net/http"
	"time"

	"github.com/asidehq/aside/platform"
)

// getFile sends a file. What is in it was chosen by somebody else, and it comes from
// the same place as the page: a browser must neither run nor show anything of it but
// pictures.
func (w *Web) getFile(rw http.ResponseWriter, r *http.Request) {
	f, err := w.log.File(r.Context(), r.PathValue("id"))
	if err != nil {
		w.broken(rw, "the file could not be read", err)
		return
	}
	if f == nil {
		refuse(rw, http.StatusNotFound, "there is no such file")
		return
	}
	// The type that is claimed for it would let a page use it as a script of ours.
	disposition, kind := "attachment", "application/octet-stream"
	if image := platform.ImageType(f.Data); image != "" {
		disposition, kind = "inline", image
	}
	header := rw.Header()
	header.Set("Content-Type", kind)
	header.Set("Content-Disposition", mime.FormatMediaType(disposition, map[string]string{"filename": platform.CleanName(f.Name)}))
	header.Set("X-Content-Type-Options", "nosniff")
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'; frame-ancestors 'none'")
	http.ServeContent(rw, r, "", time.Time{}, bytes.NewReader(f.Data))
}
