package main

import (
	"bytes"
	"flag"
	"image/png"
	"os"
	"testing"

	"github.com/chromedp/chromedp"
)

var update = flag.Bool("update", false, "take the pictures in docs again")

// largestPicture is how many bytes a picture in the documentation may have.
const largestPicture = 200_000

// TestPicturesOfThePage looks at the pictures in docs. With -update it takes them:
//
//	go test ./cmd/aside -run TestPicturesOfThePage -update
func TestPicturesOfThePage(t *testing.T) {
	pictures := []struct {
		name string
		look look
		take func(p *tab)
	}{
		{"light", desktop, func(*tab) {}},
		{"dark", look{width: 1200, height: 800, dark: true}, func(p *tab) {
			eval[any](p, `document.querySelectorAll('.entry.agent .details')[1].click()`)
			p.until("the drawer is open", `document.querySelector('#drawer .reply')`)
		}},
		{"phone", look{width: 390, height: 780, touch: true}, func(*tab) {}},
	}
	if *update {
		b := startBrowser(t)
		v := startPage(t, "")
		v.settle(v.say("ideas", "help"))
		for _, text := range []string{"hello", "remember that I like green tea", "calculate 6*7"} {
			v.settle(v.say("main", text))
		}
		_, plan := v.post("main", "/say Here is the plan for **Saturday**:\n\n| when | what |\n|---|---|\n| 10:00 | market, before the crowd |\n| 13:00 | lunch at Nora's |\n\nTo see the trains:\n\n```sh\ncurl -s https://trains.example/oslo | head\n```\n\n<actions><react emoji=\"📌\"/></actions>", "plan")
		v.settle(idIn(t, plan))
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
