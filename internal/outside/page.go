package outside

import (
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/net/html/charset"
)

// largestPage is how much of a page is read, in bytes.
const largestPage = 2 << 20

// Read returns what a page says, at most so many characters.
func Read(ctx context.Context, client *http.Client, address string, most int) (string, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" || u.User != nil {
		return "", errors.New("it is not the address of a web page")
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return "", errors.New("it is not the address of a web page")
	}
	request.Header.Set("User-Agent", "Aside (a chat agent; reads one page)")
	request.Header.Set("Accept", "text/html, text/plain;q=0.9")
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", fmt.Errorf("it answers %d", response.StatusCode)
	}
	kind := response.Header.Get("Content-Type")
	media, _, _ := mime.ParseMediaType(kind)
	marked := media == "text/html" || media == "application/xhtml+xml"
	if !marked && media != "text/plain" && media != "text/markdown" {
		return "", fmt.Errorf("it is %s, not a text", media)
	}
	body, err := charset.NewReader(io.LimitReader(response.Body, largestPage), kind)
	switch {
	case errors.Is(err, io.EOF):
		return "", errors.New("it is empty")
	case err != nil:
		return "", err
	case marked:
		return text(body, most)
	}
	all, err := io.ReadAll(body)
	return shortened(string(all), most), err
}

// skipped are the parts of a page that say nothing to a reader.
var skipped = map[atom.Atom]bool{
	atom.Script: true, atom.Style: true, atom.Noscript: true, atom.Nav: true, atom.Header: true, atom.Footer: true, atom.Aside: true,
	atom.Form: true, atom.Svg: true, atom.Iframe: true, atom.Template: true, atom.Head: true, atom.Button: true, atom.Select: true,
}

// lines are the parts that begin on a line of their own.
var lines = map[atom.Atom]bool{
	atom.P: true, atom.Div: true, atom.Br: true, atom.Li: true, atom.Tr: true, atom.H1: true, atom.H2: true, atom.H3: true, atom.H4: true,
	atom.H5: true, atom.H6: true, atom.Pre: true, atom.Blockquote: true, atom.Section: true, atom.Article: true, atom.Dt: true, atom.Dd: true,
}

// text is what a page says, without its frame.
func text(page io.Reader, most int) (string, error) {
	var b strings.Builder
	tokens := html.NewTokenizer(page)
	tokens.SetMaxBuf(largestPage)
	var open []atom.Atom // parts that are being skipped
	for b.Len() < 4*most {
		switch tokens.Next() {
		case html.ErrorToken:
			if err := tokens.Err(); !errors.Is(err, io.EOF) {
				return "", err
			}
			return shortened(b.String(), most), nil
		case html.TextToken:
			if len(open) == 0 {
				b.Write(tokens.Text())
			}
		case html.StartTagToken:
			name, _ := tokens.TagName()
			tag := atom.Lookup(name)
			if skipped[tag] {
				open = append(open, tag)
			}
			if lines[tag] {
				b.WriteByte('\n')
			}
		case html.EndTagToken:
			name, _ := tokens.TagName()
			tag := atom.Lookup(name)
			if n := len(open); n > 0 && open[n-1] == tag {
				open = open[:n-1]
			}
			if lines[tag] {
				b.WriteByte('\n')
			}
		}
	}
	return shortened(b.String(), most), nil
}

// shortened is a text without needless space, at most so many characters.
func shortened(all string, most int) string {
	var kept []string
	for _, line := range strings.Split(html.UnescapeString(all), "\n") {
		if line = strings.Join(strings.Fields(line), " "); line != "" {
			kept = append(kept, line)
		}
	}
	runes := []rune(strings.ToValidUTF8(strings.Join(kept, "\n"), "�"))
	if len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return string(runes)
}

// Plain is a snippet of a page without its tags.
func Plain(snippet string, most int) string {
	plain, err := text(strings.NewReader(snippet), most)
	if err != nil {
		return ""
	}
	return strings.ReplaceAll(plain, "\n", " ")
}
