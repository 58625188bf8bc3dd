package extract

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"pgregory.net/rapid"
)

func TestLenientObjects(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"an empty object is one", `{}`, `{}`},
		{"strict JSON stays as it is", `{"a":[1,-2.50e+7,true,false,null,{"b":"c"}],"d":""}`, `{"a":[1,-2.50e+7,true,false,null,{"b":"c"}],"d":""}`},
		{"white space goes", " {\r\n\t\"a\" : [ 1 , 2 ] } \n", `{"a":[1,2]}`},
		{"comments may stand around the object", "// look\n{\"a\":1} /* done */ // really", `{"a":1}`},
		{"the later of two members wins in the place of the first", `{"a":1,"b":2,"a":3}`, `{"a":3,"b":2}`},

		{"a comma may trail in an object", `{"a":1,}`, `{"a":1}`},
		{"a comma may trail in an array", `{"a":[1,2 , ]}`, `{"a":[1,2]}`},
		{"a comma may be missing at the end of a line", "{\"a\":1\n\"b\":2}", `{"a":1,"b":2}`},
		{"a comma may be missing before a quoted key", `{"a":"x""b":"y"}`, `{"a":"x","b":"y"}`},
		{"a comma may be missing before an unquoted key", `{a: 1 b: yes c: {} d: 2}`, `{"a":1,"b":"yes","c":{},"d":2}`},
		{"a comma may be missing between strings", `{"a":["x" "y"]}`, `{"a":["x","y"]}`},
		{"a comma may be missing between objects", `{"a":[{"b":1}{"b":2}]}`, `{"a":[{"b":1},{"b":2}]}`},
		{"a comma may be missing between lines of an array", "{\"a\":[\n1\nx\n]}", `{"a":[1,"x"]}`},

		{"newlines, tabs and other controls in strings are kept", "{\"a\":\"x\n\ty\x00\x1b\"}", `{"a":"x\n\ty\u0000\u001b"}`},
		{"single quotes are quotes", `{'a':'say "hi"'}`, `{"a":"say \"hi\""}`},
		{"smart double quotes are quotes", `{“a”:“it's”}`, `{"a":"it's"}`},
		{"smart single quotes are quotes", `{‘a’:‘say "hi"’}`, `{"a":"say \"hi\""}`},
		{"a smart quote closes with the opening form", `{”a”:“x“,‘b‘:’c’}`, `{"a":"x","b":"c"}`},
		{"a plain quote inside smart ones closes nothing", `{“a”:“x"y”,‘b’:‘y'z’}`, `{"a":"x\"y","b":"y'z"}`},
		{"a plain quote does not close with a smart one", `{"a":"“x” ‘y’",'b':'‘z’'}`, `{"a":"“x” ‘y’","b":"‘z’"}`},
		{"the other kind of quote closes nothing", `{“a”:“x’y'z”}`, `{"a":"x’y'z"}`},
		{"an escaped quote closes nothing", `{"a":"\"",'b':'it\'s',“c”:“\”\“\"”}`, `{"a":"\"","b":"it's","c":"”“\""}`},
		{"escapes mean what they mean", `{"a":"\"\\\/\b\f\n\r\t\u0041\u00e9"}`, `{"a":"\"\\/\b\f\n\r\tAé"}`},
		{"escapes that are none keep the character", `{"a":"\x\'\ü\u12\u{1F600}\` + "\n" + `"}`, `{"a":"x'üu12u{1F600}\n"}`},
		{"surrogate pairs are joined", `{"a":"\ud83d\ude00"}`, `{"a":"😀"}`},
		{"half a pair is replaced", `{"a":"\ud83d","b":"\ude00x","c":"\ud83d\u0041","d":"\ud83d\ud83d\ude00"}`, `{"a":"�","b":"�x","c":"�A","d":"�😀"}`},
		{"half a pair before half an escape is replaced", `{"a":"\ud83d\u12"}`, `{"a":"�u12"}`},
		{"invalid UTF-8 is replaced", "{\"a\xff\":\"\xc3(\xe2\x82\"}", `{"a�":"�(��"}`},
		{"mentions stay readable", `{"a":"<@1> & <#2>"}`, `{"a":"<@1> & <#2>"}`},

		{"keys need no quotes", `{a:1, $b_2.c-d:2, 3:3, größe:4}`, `{"a":1,"$b_2.c-d":2,"3":3,"größe":4}`},
		{"keys may be literals", `{true:1,null:2}`, `{"true":1,"null":2}`},
		{"words need no quotes", `{a: general, b: #room-1, c: @eve, d: ./x/y_z.png, e: c++, f: हिन्दी}`, `{"a":"general","b":"#room-1","c":"@eve","d":"./x/y_z.png","e":"c++","f":"हिन्दी"}`},
		{"Python's literals are literals", `{a: True, b: False, c: None, d: [True]}`, `{"a":true,"b":false,"c":null,"d":[true]}`},
		{"words that begin like literals are words", `{a: trueish, b: nulls, c: TRUE, d: undefined}`, `{"a":"trueish","b":"nulls","c":"TRUE","d":"undefined"}`},
		{"web addresses are words", `{a: http://x.org, b:https://x.org:80/p//q?r=s&t=%20#u, c: [ftp://x]}`, `{"a":"http://x.org","b":"https://x.org:80/p//q?r=s&t=%20#u","c":["ftp://x"]}`},
		{"slashes right after a colon are no comment", `{a://x.org/y}`, `{"a":"//x.org/y"}`},
		{"slashes after a colon and a space are a comment", "{a: // one\n 1}", `{"a":1}`},

		{"line comments are skipped", "{ // first, \"x\": {\n\"a\":1, // second\n\"b\":[2// third\n]}", `{"a":1,"b":[2]}`},
		{"block comments are skipped", `{/**/"a"/*:*/:/* } */1/* it's */,/*,*/b:x/*y*/}`, `{"a":1,"b":"x"}`},
		{"comments in strings are text", `{"a":"// x","b":"/* y */"}`, `{"a":"// x","b":"/* y */"}`},

		{"numbers with a plus are numbers", `{a:+5,b:+.5}`, `{"a":5,"b":0.5}`},
		{"numbers may begin or end with a point", `{a:.5,b:-.5,c:5.,d:-0.}`, `{"a":0.5,"b":-0.5,"c":5,"d":-0}`},
		{"hexadecimal numbers are converted", `{a:0x10,b:-0XfF,c:0xffffffffffffffff}`, `{"a":16,"b":-255,"c":18446744073709551615}`},
		{"big numbers keep their digits", `{"a":123456789012345678901234567890,"b":1.000000000000000000001,"c":1E999}`, `{"a":123456789012345678901234567890,"b":1.000000000000000000001,"c":1E999}`},
		{"what is no plain number is a string", `{a:007,b:1.2.3,c:2024-01-31,d:1_000,e:5e,f:-,g:.,h:+-5,i:0x,j:0x10000000000000000,k:NaN,l:-Infinity,m:5..}`, `{"a":"007","b":"1.2.3","c":"2024-01-31","d":"1_000","e":"5e","f":"-","g":".","h":"+-5","i":"0x","j":"0x10000000000000000","k":"NaN","l":"-Infinity","m":"5.."}`},
	} {
		t.Run(test.name, func(t *testing.T) {
			fields, err := lenientFields([]byte(test.src))
			if err != nil {
				t.Fatalf("reading %s: %v", test.src, err)
			}
			if got := joinFields(fields); string(got) != test.want {
				t.Errorf("reading %s\n got %s\nwant %s", test.src, got, test.want)
			}
		})
	}
}

func TestLenientErrorsSayWhatToDo(t *testing.T) {
	for _, test := range []struct{ name, src, want string }{
		{"nothing at all", ` `, `expected {, found the end`},
		{"an array for an object", `[1]`, `expected {, found [`},
		{"words after the object", `{"a":1} and so on`, `expected nothing after }, found and`},
		{"a missing value", `{"emoji": }`, `expected a value after "emoji":, found }`},
		{"a missing value before a comma", `{emoji:, "b":1}`, `expected a value after emoji:, found ,`},
		{"a missing colon", `{"a" "b"}`, `expected : after "a", found "b"`},
		{"a missing key", `{: 1}`, `expected a key after {, found :`},
		{"two commas", `{"a":1,,"b":2}`, `expected a key after 1,, found ,`},
		{"two commas in an array", `{"a":[1,,2]}`, `expected a value after 1,, found ,`},
		{"a missing brace", `{"a":{"b":1}`, `expected , or } after }, found the end`},
		{"the wrong bracket", `{"a":["x"}`, `expected , or ] after "x", found }`},
		{"an object that ends after a comma", `{"a":1,`, `expected a key after 1,, found the end`},
		{"an unescaped quote", `{"a":"he said "hi" to me"}`, `expected , or } after "he said ", found hi"; put a \ before a quote inside a string`},
		{"an unescaped quote before what looks like a key", `{"a":"he said "note: x", b"}`, `expected , or } after "he said ", found note; put a \ before a quote inside a string`},
		{"an unescaped quote in an array", `{"a":["it "is" so"]}`, `expected , or ] after "it ", found is"; put a \ before a quote inside a string`},
		{"an unescaped apostrophe", `{'a':'it's'}`, `expected , or } after 'it', found s'; put a \ before a quote inside a string`},
		{"two words for a value", `{"a": in progress, "b": 1}`, `expected , or } after in, found progress; put text in double quotes`},
		{"two words in an array", `{"a": [in progress]}`, `expected , or ] after in, found progress; put text in double quotes`},
		{"a time without quotes", `{"at": 12:30}`, `expected , or } after 12, found :; put text in double quotes`},
		{"an emoji without quotes", `{"emoji": 👍}`, `expected a value after "emoji":, found 👍`},
		{"a string without an end", `{"a":"hello}`, `expected a closing quote after "hello}, found the end`},
		{"a string that ends in a backslash", `{"a":"hello\`, `expected a closing quote after "hello\, found the end`},
		{"a comment without an end", `{"a":1 /* one }`, `expected , or } after 1, found /*`},
		{"a comment without an end for a value", `{"a": /* one }`, `expected a value after "a":, found /*`},
		{"a comment that swallows the brace", `{"a":1 // one }`, `expected , or } after 1, found the end`},
		{"the line of several", "{\n\"a\": 1,\n\"b\": }", `expected a value after "b":, found } on line 3`},
		{"a control character", "{\"a\":\x01}", `expected a value after "a":, found "\x01"`},
		{"an invalid byte", "{\"a\":\xff}", `expected a value after "a":, found �`},
		{"long things are cut", `{"` + strings.Repeat("é", 100) + `" 1}`, `expected : after "ééééééééé…ééééééé", found 1`},
		{"what is cut stays on its line", "{\"a\":\"one\ntwo\x00three\" four}", `expected , or } after "one two three", found four on line 2; put a \ before a quote inside a string`},
	} {
		t.Run(test.name, func(t *testing.T) {
			fields, err := lenientFields([]byte(test.src))
			if err == nil {
				t.Fatalf("reading %s gave %s", test.src, joinFields(fields))
			}
			if err.Error() != test.want {
				t.Errorf("reading %s\n got %s\nwant %s", test.src, err, test.want)
			}
			if fields != nil {
				t.Errorf("reading %s gave fields as well", test.src)
			}
		})
	}
}

func TestLenientItemsKnowTheirPlace(t *testing.T) {
	src := "[ {type: 'a',} , // one\n{\"type\":\"b\"}\nword, [1,], http://x.org ]"
	items, err := lenientItems([]byte(src))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, i := range items {
		got = append(got, src[i.pos:i.end]+" is "+string(i.value))
	}
	want := []string{
		`{type: 'a',} is {"type":"a"}`,
		`{"type":"b"} is {"type":"b"}`,
		`word is "word"`,
		`[1,] is [1]`,
		`http://x.org is "http://x.org"`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	if items, err := lenientItems([]byte(`{"a":1}`)); err == nil || items != nil {
		t.Errorf("an object for an array gave %v, %v", items, err)
	}
	if items, err := lenientItems([]byte(`[1] 2`)); err == nil || items != nil {
		t.Errorf("more than an array gave %v, %v", items, err)
	}
}

func TestJoinFieldsLeavesItsFieldsAlone(t *testing.T) {
	fields := []field{{"a", json.RawMessage(`1`)}, {"b\n", json.RawMessage(`[2]`)}, {"a", json.RawMessage(`3`)}}
	if got, want := string(joinFields(fields)), `{"a":3,"b\n":[2]}`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if string(fields[0].value) != `1` {
		t.Errorf("the first field became %s", fields[0].value)
	}
	if got := string(joinFields(nil)); got != `{}` {
		t.Errorf("no fields gave %s", got)
	}
	read, err := lenientFields([]byte(`{"a":1,"b":2}`))
	if err != nil {
		t.Fatal(err)
	}
	_ = append(read[0].value, "tail"...)
	if got := string(joinFields(read)); got != `{"a":1,"b":2}` {
		t.Errorf("appending to one value gave %s", got)
	}
}

func TestLenientNestingIsLimited(t *testing.T) {
	for _, brackets := range [][2]string{{"[", "]"}, {`{"a":`, "}"}} {
		nested := func(depth int) []byte {
			return []byte(`{"a":` + strings.Repeat(brackets[0], depth-1) + "1" + strings.Repeat(brackets[1], depth-1) + "}")
		}
		if _, err := lenientFields(nested(100)); err != nil {
			t.Errorf("100 levels of %s: %v", brackets[0], err)
		}
		if _, err := lenientFields(nested(101)); err == nil || err.Error() != "nested deeper than 100 levels; write it flatter" {
			t.Errorf("101 levels of %s: %v", brackets[0], err)
		}
	}
}

// A quadratic reader would need minutes for these, so the deadline can be generous.
func TestLenientTakesLinearTime(t *testing.T) {
	for _, part := range []string{"", `"a":1,`, `a:b `, "[", "{", `"`, `\`, `"\u`, "/", "/*", "/**/", "//\n", ":", "http://", "'", "“", " ", "\n", "0", "[],", "x\n"} {
		for _, frame := range []string{"{%s}", "[%s]", `{"a":[%s]}`, `{"a":"%s"}`, `{"a":%s}`} {
			src := fmt.Sprintf(frame, strings.Repeat(part, 1<<17/max(len(part), 1)))
			start := time.Now()
			_, _ = lenientFields([]byte(src))
			_, _ = lenientItems([]byte(src))
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("128 KiB of %q in %s took %v", part, frame, took)
			}
		}
	}
}

func TestLenientKeepsStrictJSON(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		object := anyObject().Draw(t, "object")
		src, err := json.Marshal(object)
		if err != nil {
			t.Fatal(err)
		}
		if rapid.Bool().Draw(t, "indented") {
			var indented bytes.Buffer
			_ = json.Indent(&indented, src, " ", "\t")
			src = indented.Bytes()
		}
		sameValue(t, src, object)
	})
}

// The reader that finds the end of an object while it streams, and the one that
// then reads it, must agree about where it ends.
func TestTheEndOfASloppyObjectIsFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := sloppy{t: t}
		s.value(anyObject().Draw(t, "object"))
		var j jsonReader
		for i, c := range s.src {
			if j.read(c) != (i == len(s.src)-1) {
				t.Fatalf("byte %d of %q is taken for the end, or the last one is not", i, s.src)
			}
		}
	})
}

func TestLenientRepairsDamage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		object := anyObject().Draw(t, "object")
		s := sloppy{t: t}
		s.gap()
		s.value(object)
		s.gap()
		sameValue(t, s.src, object)
	})
}

func TestLenientGivesValidJSON(t *testing.T) {
	parts := []string{
		"{", "}", "[", "]", ":", ",", `"`, "'", "“", "”", "‘", "’", `\`, `\u`, "d83d", "//", "/*", "*/", "\n", " ", "\x00", "\xff",
		"a", "true", "None", "http://", "-", "+", ".", "0", "0x", "1", "e", "é", "$", "%", `"a":`, `"b",`, "c: d",
	}
	rapid.Check(t, func(t *rapid.T) {
		src := strings.Join(rapid.SliceOf(rapid.SampledFrom(parts)).Draw(t, "parts"), "")
		checkLenient(t, []byte(src))
		checkLenient(t, []byte("{"+src+"}"))
		checkLenient(t, []byte("["+src+"]"))
	})
}

func FuzzLenient(f *testing.F) {
	for _, seed := range []string{
		`{"type":"sendMessage","channel":"general","content":"hi\n\ud83d\ude00"}`,
		"{type: 'react', // why not\n emoji: “eyes”, n: +.5,}",
		`[{"type":"a"} {"type":"b"}, http://x.org/?q=1, 0x10, True]`,
		`{"a":"he said "hi" to me"}`, `{"a": }`, `{/*`, `["\u`, "{\"a\":\"\xff\x00\"}", strings.Repeat("[", 200),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, src []byte) {
		checkLenient(t, src)
		if len(src) > 0 && len(src) < 1<<10 {
			start := time.Now()
			_, _ = lenientItems(slices.Concat([]byte("["), bytes.Repeat(src, 1<<16/len(src)), []byte("]")))
			if took := time.Since(start); took > 5*time.Second {
				t.Errorf("64 KiB of it took %v", took)
			}
		}
	})
}

// checkLenient checks what holds for all src.
func checkLenient(t rapid.TB, src []byte) {
	t.Helper()
	untouched := bytes.Clone(src)
	if fields, err := lenientFields(src); err == nil {
		for _, f := range fields {
			if !json.Valid(f.value) || !utf8.Valid(f.value) || !utf8.ValidString(f.name) {
				t.Fatalf("reading %q gave the field %q: %q", src, f.name, f.value)
			}
		}
		joined := joinFields(fields)
		if !json.Valid(joined) {
			t.Fatalf("reading %q gave %q", src, joined)
		}
		again, err := lenientFields(joined)
		if err != nil || !bytes.Equal(joinFields(again), joined) {
			t.Fatalf("reading %q gave %q, reading that gave %q, %v", src, joined, joinFields(again), err)
		}
	} else {
		checkMessage(t, src, err)
	}
	if items, err := lenientItems(src); err == nil {
		for _, i := range items {
			if !json.Valid(i.value) || !utf8.Valid(i.value) {
				t.Fatalf("reading %q gave the item %q", src, i.value)
			}
			alone, err := lenientItems(slices.Concat([]byte("["), src[i.pos:i.end], []byte("]")))
			if err != nil || len(alone) != 1 || !bytes.Equal(alone[0].value, i.value) {
				t.Fatalf("reading %q gave %q for %q, which alone gave %q, %v", src, i.value, src[i.pos:i.end], alone, err)
			}
		}
	} else {
		checkMessage(t, src, err)
	}
	if !bytes.Equal(src, untouched) {
		t.Fatalf("reading %q changed it to %q", untouched, src)
	}
}

// checkMessage checks that an error can be shown to a model.
func checkMessage(t rapid.TB, src []byte, err error) {
	t.Helper()
	if message := err.Error(); len(message) > 250 || !utf8.ValidString(message) || strings.ContainsAny(message, "\x00\n") {
		t.Fatalf("reading %q failed with %q", src, message)
	}
}

// sameValue checks that src is read as value.
func sameValue(t *rapid.T, src []byte, value any) {
	fields, err := lenientFields(src)
	if err != nil {
		t.Fatalf("reading %q: %v", src, err)
	}
	var got any
	decoder := json.NewDecoder(bytes.NewReader(joinFields(fields)))
	decoder.UseNumber()
	if err := decoder.Decode(&got); err != nil {
		t.Fatalf("reading %q gave %q: %v", src, joinFields(fields), err)
	}
	if !reflect.DeepEqual(got, value) {
		t.Fatalf("reading %q gave %q", src, joinFields(fields))
	}
}

func anyObject() *rapid.Generator[map[string]any] {
	return rapid.Custom(func(t *rapid.T) map[string]any { return drawObject(t, 3) })
}

func drawObject(t *rapid.T, depth int) map[string]any {
	object := map[string]any{}
	for range rapid.IntRange(0, 4).Draw(t, "members") {
		object[drawText(t)] = drawValue(t, depth-1)
	}
	return object
}

func drawValue(t *rapid.T, depth int) any {
	kinds := 4
	if depth > 0 {
		kinds = 6
	}
	switch rapid.IntRange(0, kinds-1).Draw(t, "kind") {
	case 0:
		return nil
	case 1:
		return rapid.Bool().Draw(t, "bool")
	case 2:
		return json.Number(rapid.StringMatching(`-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,5})?([eE][+-]?[0-9]{1,3})?`).Draw(t, "number"))
	case 3:
		return drawText(t)
	case 4:
		return drawObject(t, depth)
	default:
		array := []any{}
		for range rapid.IntRange(0, 4).Draw(t, "items") {
			array = append(array, drawValue(t, depth-1))
		}
		return array
	}
}

func drawText(t *rapid.T) string {
	return strings.ToValidUTF8(rapid.OneOf(
		rapid.String(),
		rapid.StringMatching(`[a-z_$.-][a-z0-9_$.-]{0,8}`),
		rapid.StringOf(rapid.SampledFrom([]rune("a \n\t\x00\"'“”‘’\\/*,:{}[]😀\u2028�"))),
	).Draw(t, "text"), "�")
}

// sloppy writes JSON as a careless model would; every carelessness is drawn.
type sloppy struct {
	t   *rapid.T
	src []byte
}

func (s *sloppy) write(text string) { s.src = append(s.src, text...) }

func (s *sloppy) pick(from ...string) string { return rapid.SampledFrom(from).Draw(s.t, "pick") }

func (s *sloppy) gap() {
	s.write(s.pick("", "", "", " ", "\n", "\t \r\n", " // it's {\n", "/* “,: */", " /**///\n"))
}

func (s *sloppy) value(value any) {
	switch value := value.(type) {
	case nil:
		s.write(s.pick("null", "None"))
	case bool:
		s.write(map[bool]string{true: s.pick("true", "True"), false: s.pick("false", "False")}[value])
	case json.Number:
		s.write(string(value))
	case string:
		s.text(value)
	case []any:
		s.list("[", "]", len(value), func(i int) { s.value(value[i]) })
	case map[string]any:
		keys := slices.Sorted(maps.Keys(value))
		s.list("{", "}", len(keys), func(i int) {
			s.key(keys[i])
			s.gap()
			s.write(":")
			s.gap()
			s.value(value[keys[i]])
		})
	}
}

func (s *sloppy) list(opening, closing string, members int, member func(i int)) {
	s.write(opening)
	for i := range members {
		s.gap()
		member(i)
		s.gap()
		s.write(s.pick(",", ",", "\n")) // may trail
	}
	s.gap()
	s.write(closing)
}

func (s *sloppy) key(name string) {
	plain := name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789_$.-") == ""
	if plain && rapid.Bool().Draw(s.t, "unquoted") {
		s.write(name)
		return
	}
	s.text(name)
}

func (s *sloppy) text(text string) {
	quotes := []rune(s.pick(`""`, `''`, `“”`, `““`, `”“`, `‘’`, `’‘`, `‘‘`))
	s.write(string(quotes[0]))
	for _, c := range text {
		if c == '\\' || closesString(quotes[0], c) {
			s.write(`\`)
		}
		s.write(string(c))
	}
	s.write(string(quotes[1]))
}
