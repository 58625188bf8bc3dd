package main

import (
	"bytes"
	"image/png"
	"net/http"
	"os"
	"os/exec"
	"testing"

	"github.com/chromedp/chromedp"
)

// largestPicture is how many bytes a picture in the documentation may have.
const largestPicture = 200_000

// conversation is a model for the pictures.
func conversation() *faultyModel {
	return &faultyModel{scripts: map[string][]http.HandlerFunc{
		"Is the report out?":                          {speaks("It went out at nine, with the corrected table.")},
		"Find me a hotel near the station":            {speaks("Three are within five minutes on foot; the quietest is the one behind the park.")},
		"Please remember that I only drink green tea": {speaks("<think>A lasting preference; keep it.</think>Noted, no more coffee suggestions. <actions><react emoji=\"🍵\"/></actions>[REMEMBER:Only drinks green tea]")},
		"Split 94.50 among four of us":                {speaks("That makes, for each of you: [CALCULATE:94.50/4]")},
		"What is the plan for Saturday?":              {speaks(saturday)},
	}}
}

const saturday = "Here is **Saturday**, with an early start:\n\n" +
	"| when | what |\n|---|---|\n| 10:00 | market, before the crowd |\n| 13:00 | lunch at Nora's |\n\n" +
	"The trains, if you want to look them up yourself:\n\n```sh\ncurl -s https://trains.example/oslo | head -5\n```\n\n" +
	"<actions><react emoji=\"📌\"/></actions>"

// needEmoji ends the test where no font has emoji: the pictures would have boxes in their
// place. Where nobody can be asked about fonts, it is for whoever takes them to see.
func needEmoji(t *testing.T) {
	t.Helper()
	if fonts, err := exec.Command("fc-list", ":charset=1f4cc", "family").Output(); err == nil && len(fonts) == 0 {
		t.Fatal("no font here has emoji, so the pictures would have boxes: apt-get install fonts-noto-color-emoji fonts-inter")
	}
}

// TestPicturesOfThePage looks at the pictures in docs. With -update it takes them:
//
//	go test ./cmd/aside -run TestPicturesOfThePage -update
func TestPicturesOfThePage(t *testing.T) {
	t.Parallel()
	pictures := []struct {
		name string
		look look
		take func(p *tab)
	}{
		{"light", desktop, func(*tab) {}},
		{"dark", look{width: 1200, height: 800, dark: true}, func(p *tab) {
			eval[any](p, `document.querySelectorAll('.entry.agent .details')[0].click()`)
			p.until("the drawer is open", `document.querySelector('#drawer .reply')`)
		}},
		{"phone", look{width: 390, height: 780, touch: true}, func(*tab) {}},
	}
	if *update {
		needEmoji(t)
		b := startBrowser(t)
		v := startFaulty(t, conversation())
		for _, said := range [][2]string{
			{"work", "Is the report out?"},
			{"travel", "Find me a hotel near the station"},
			{"main", "Please remember that I only drink green tea"},
			{"main", "Split 94.50 among four of us"},
			{"main", "What is the plan for Saturday?"},
		} {
			v.settle(v.say(said[0], said[1]))
		}
		for _, picture := range pictures {
			p := b.open(t, v.url, picture.look)
			p.ready()
			p.idle()
			picture.take(p)
			shot, err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot())
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.Decode(bytes.NewReader(shot))
			if err != nil {
				t.Fatal(err)
			}
			var out bytes.Buffer
			if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&out, img); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile("../../docs/page-"+picture.name+".png", out.Bytes(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, picture := range pictures {
		t.Run(picture.name, func(t *testing.T) {
			content, err := os.ReadFile("../../docs/page-" + picture.name + ".png")
			if err != nil {
				t.Fatal(err)
			}
			img, err := png.DecodeConfig(bytes.NewReader(content))
			if err != nil || img.Width != picture.look.width || img.Height != picture.look.height || len(content) > largestPicture {
				t.Errorf("it is %d by %d with %d bytes, %v", img.Width, img.Height, len(content), err)
			}
		})
	}
}
