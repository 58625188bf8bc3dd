package platform_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/asidehq/aside/platform"
)

const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"

func TestANameIsMadeHarmless(t *testing.T) {
	tests := []struct{ name, given, want string }{
		{"what is clean stays", "Année 2026 (final).pdf", "Année 2026 (final).pdf"},
		{"a path", "/etc/passwd", "passwd"},
		{"a path upwards", "../../../.bashrc", ".bashrc"},
		{"a path of Windows", `C:\Users\ada\report.pdf`, "report.pdf"},
		{"a directory", "photos/", "photos"},
		{"nothing", "", "file"},
		{"dots", "..", "file"},
		{"white space", " \t\n", "file"},
		{"control characters", "a\x00b\r\nc\x1b[31m.txt", "ab c[31m.txt"},
		{"what turns the direction of writing", "invoice\u202egpj.exe", "invoicegpj.exe"},
		{"what is invisible", "a\u200bb\ufeffc.txt", "abc.txt"},
		{"what is no text", "a\xffb.txt", "ab.txt"},
		{"what ends a header", `a"; filename="b.html`, "a; filename=b.html"},
		{"too long, with its end", strings.Repeat("é", 300) + ".pdf", strings.Repeat("é", 96) + ".pdf"},
		{"too long, with an end that is too long", "a." + strings.Repeat("b", 300), "a." + strings.Repeat("b", 98)},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := platform.CleanName(test.given); got != test.want {
				t.Errorf("%q becomes %q, want %q", test.given, got, test.want)
			}
		})
	}
}

func TestEveryNameIsMadeHarmless(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := rapid.OneOf(rapid.String(), rapid.StringMatching(`[./\\ a"\x00-\x20]*`)).Draw(t, "name")
		name := platform.CleanName(given)
		if name == "" || name == "." || name == ".." || strings.ContainsAny(name, "/\\\x00\r\n\"") || !utf8.ValidString(name) || utf8.RuneCountInString(name) > 100 {
			t.Fatalf("%q becomes %q", given, name)
		}
		if again := platform.CleanName(name); again != name {
			t.Fatalf("%q becomes %q and then %q", given, name, again)
		}
	})
}

func TestTheTypeIsWhatTheBytesShow(t *testing.T) {
	tests := []struct{ name, declared, data, want string }{
		{"a picture", "application/pdf", png, "image/png"},
		{"a page that claims to be a picture", "image/png", "<html><script>", "text/html"},
		{"a text that claims to be a picture", "image/png", "hello", "text/plain"},
		{"a drawing, which can hold scripts", "image/svg+xml", `<?xml version="1.0"?><svg/>`, "text/xml"},
		{"a text that says what kind", "text/markdown; charset=utf-8", "# hello", "text/markdown"},
		{"JSON", "application/json", "{}", "application/json"},
		{"an archive that says what for", "application/vnd.oasis.opendocument.text", "PK\x03\x04", "application/vnd.oasis.opendocument.text"},
		{"bytes that claim to be a text", "text/html", "\x00\x01\x02", "application/octet-stream"},
		{"a claim that is none", "a/b\r\nX: y", "hello", "text/plain"},
		{"no claim", "", "hello", "text/plain"},
		{"nothing", "application/pdf", "", "application/pdf"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := platform.NewFile("x", test.declared, []byte(test.data)); got.Type != test.want || got.Size != int64(len(test.data)) {
				t.Errorf("it is %+v, want %s", got, test.want)
			}
		})
	}
}

func TestTheTypeOfWhatWasNotFetchedIsWhatItsSenderClaims(t *testing.T) {
	for declared, want := range map[string]string{"video/mp4": "video/mp4", "": "application/octet-stream", "x y": "application/octet-stream"} {
		if got := platform.TypeOf(declared, nil); got != want {
			t.Errorf("%q is %q, want %q", declared, got, want)
		}
	}
}

func TestPicturesAndTextsAreKnownByTheirBytes(t *testing.T) {
	tests := []struct {
		name, data, image string
		text              bool
	}{
		{"PNG", png, "image/png", false},
		{"JPEG", "\xff\xd8\xff\xe0", "image/jpeg", false},
		{"GIF", "GIF89a", "image/gif", false},
		{"WebP", "RIFF\x00\x00\x00\x00WEBPVP", "image/webp", false},
		{"a bitmap, which not every model can see", "BM\x00", "", false},
		{"an icon", "\x00\x00\x01\x00", "", false},
		{"a drawing", "<svg xmlns='http://www.w3.org/2000/svg'/>", "", true},
		{"text", "héllo\n", "", true},
		{"a page", "<html></html>", "", true},
		{"Latin-1", "h\xe9llo", "", false},
		{"text with a NUL", "hello\x00", "", false},
		{"a document", "%PDF-1.7 x", "", false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if got := platform.ImageType([]byte(test.data)); got != test.image {
				t.Errorf("the picture is %q, want %q", got, test.image)
			}
			if got := platform.IsText([]byte(test.data)); got != test.text {
				t.Errorf("that it is text is %v", got)
			}
		})
	}
}

func TestSizesAreSaidAsPeopleSayThem(t *testing.T) {
	for n, want := range map[int64]string{0: "0 bytes", 1: "1 byte", 1023: "1023 bytes", 1024: "1 KB", 1600: "2 KB", 120 << 10: "120 KB", 20 << 20: "20 MB", 5<<19 + 1: "2.5 MB"} {
		if got := platform.SizeText(n); got != want {
			t.Errorf("%d is %q, want %q", n, got, want)
		}
	}
}
