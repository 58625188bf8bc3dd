package platformtest

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// The suite is right if the reference adapter passes it and an adapter with a
// mistake does not. The mistakes are in adapter_test.go.

func memoryHarness(m mistakes) Harness {
	return Harness{
		Start:  func(T) Server { return newMemory(m) },
		Edit:   Can,
		Delete: Can,
		React:  Can,
		Type:   Can,
		Open:   Can,
		Choose: Can,
		Upload: Can,
		Attach: Can,
		IDs:    Can,
		Keys:   Can,
		Acks:   Can,
		Refuse: Can,
	}
}

func TestTheReferencePasses(t *testing.T) {
	Run(t, memoryHarness(mistakes{}))
}

func TestAnAdapterWithoutAbilitiesPassesIfTheHarnessSaysSo(t *testing.T) {
	h := memoryHarness(mistakes{lacks: true, ignoresKey: true, neverAcks: true})
	h.Edit, h.Delete, h.React, h.Type, h.Keys, h.Acks = Cannot, Cannot, Cannot, Cannot, Cannot, Cannot
	h.Upload, h.Attach, h.Open, h.Choose = Cannot, Cannot, Cannot, Cannot
	Run(t, h)
}

func TestMistakesAreCaught(t *testing.T) {
	const (
		abilities = "it can do what the harness says and nothing else"
		message   = "a message arrives as it was written"
		once      = "a message is received once even if the server sends it twice"
		order     = "messages of a room arrive in order"
		heldBack  = "a message that could not be stored holds back the later ones of its room"
		received  = "received is told only after the inbox has stored it"
		again     = "a message whose storing failed comes again"
		reconnect = "reconnecting after the connection drops loses nothing"
		shutdown  = "shutdown while a message is being stored loses nothing and Run returns nil"
		unstored  = "a message that shutdown kept from being stored comes after the restart"
		post      = "a post is delivered and its receipt has the id"
		keys      = "the same key twice is one post where the platform can"
		long      = "a long text is split and its parts fit"
		over      = "a text over the limit is refused or delivered whole"
		refused   = "a refused post is Refused and says why"
		limited   = "a rate-limited post is Limited and says how long to wait"
		lost      = "a post whose answer was lost is Unknown, or delivered once"
		edit      = "an edit replaces the text and can be repeated"
		deletion  = "a delete takes the post away"
		react     = "a reaction can be put on and taken off and repeated"
		typing    = "typing can be shown"
		honest    = "edits, deletes and reactions have honest receipts"
		upload    = "a file is posted with its name and its bytes"
		fileOnce  = "a file is posted once for each key"
		fileSaid  = "a file that is not posted has an honest receipt"
		attached  = "a file that a person attaches arrives with its message"
		opened    = "what is opened is filled once, also after a restart"
		openLost  = "a post whose opening was lost stands there once"
		openFiles = "files go where their post was opened"
		choices   = "buttons stand below a post, are pressed, change and go"
	)
	cannot := func(m mistakes, change func(h *Harness)) Harness {
		h := memoryHarness(m)
		change(&h)
		return h
	}
	catches := map[string]bool{}
	for _, test := range []struct {
		name    string
		harness Harness
		caught  []string // by these checks at least
	}{
		{"says received before storing", memoryHarness(mistakes{acksFirst: true}), []string{received, again, unstored}},
		{"drops a message that could not be stored", memoryHarness(mistakes{skipsFailedToEnd: true}), []string{again, heldBack}},
		{"takes the next message when storing one fails", memoryHarness(mistakes{skipsFailed: true}), []string{heldBack}},
		{"says received when it shuts down", memoryHarness(mistakes{acksAtShutdown: true}), []string{unstored}},
		{"never says received", memoryHarness(mistakes{neverAcks: true}), []string{received}},
		{"makes up ids", memoryHarness(mistakes{newIDs: true}), []string{once}},
		{"takes the newest first", memoryHarness(mistakes{newestFirst: true}), []string{order}},
		{"loses the text", memoryHarness(mistakes{swapsText: true}), []string{message}},
		{"takes people for bots", memoryHarness(mistakes{botAuthor: true}), []string{message}},
		{"forgets the time", memoryHarness(mistakes{noTime: true}), []string{message}},
		{"loses what was written while it was away", memoryHarness(mistakes{losesWhileAway: true}), []string{reconnect, unstored}},
		{"never connects again", memoryHarness(mistakes{neverReconnects: true}), []string{reconnect}},
		{"returns an error when it is stopped", memoryHarness(mistakes{returnsContextError: true}), []string{shutdown, message}},

		{"gives no id", memoryHarness(mistakes{noID: true}), []string{post}},
		{"gives a wrong id", memoryHarness(mistakes{wrongID: true}), []string{post}},
		{"ignores the key", memoryHarness(mistakes{ignoresKey: true}), []string{keys, lost}},
		{"takes the same text for the same post", memoryHarness(mistakes{keyIsText: true}), []string{keys}},
		{"has keys and denies it", cannot(mistakes{}, func(h *Harness) { h.Keys = Cannot }), []string{keys}},
		{"cuts off what is too long", memoryHarness(mistakes{truncates: true}), []string{over}},
		{"drops what is too long", memoryHarness(mistakes{dropsLong: true}), []string{over}},
		{"takes less than it says", memoryHarness(mistakes{lowLimit: true}), []string{long}},
		{"says that more fits", memoryHarness(mistakes{highLimit: true}), []string{long}},
		{"says Failed when it was refused", memoryHarness(mistakes{refusedIsFailed: true}), []string{refused, honest}},
		{"does not say why it was refused", memoryHarness(mistakes{noReason: true}), []string{refused, honest}},
		{"counts a rate limit as a failure", memoryHarness(mistakes{limitedIsFailed: true}), []string{limited, honest}},
		{"does not say how long to wait", memoryHarness(mistakes{noRetryAfter: true}), []string{limited, honest}},
		{"takes seconds for milliseconds", memoryHarness(mistakes{wrongRetryAfter: true}), []string{limited}},
		{
			"says Delivered when the answer was lost",
			cannot(mistakes{lostIsDelivered: true, ignoresKey: true}, func(h *Harness) { h.Keys = Cannot }),
			[]string{lost},
		},
		{"says Failed when the answer was lost", memoryHarness(mistakes{lostIsFailed: true}), []string{lost, honest}},
		{"posts again when the answer was lost", memoryHarness(mistakes{lostIsSentAgain: true}), []string{lost}},

		{"forgets an edit", memoryHarness(mistakes{forgetsEdit: true}), []string{edit}},
		{"appends an edit", memoryHarness(mistakes{appendsEdit: true}), []string{edit}},
		{"gives an edit no id", memoryHarness(mistakes{editHasNoID: true}), []string{edit}},
		{"says Delivered for an edit that was refused", memoryHarness(mistakes{editIsAlwaysDelivered: true}), []string{honest}},
		{"says Delivered for a reaction that was refused", memoryHarness(mistakes{reactIsAlwaysDelivered: true}), []string{honest}},
		{"forgets a delete", memoryHarness(mistakes{forgetsDelete: true}), []string{deletion}},
		{"takes a reaction off when it is put on again", memoryHarness(mistakes{togglesReaction: true}), []string{react}},
		{"cannot show that it is typing", memoryHarness(mistakes{noTyping: true}), []string{typing}},
		{"does not say how often it may edit", memoryHarness(mistakes{noEditEvery: true}), []string{abilities}},
		{"has a name in capitals", memoryHarness(mistakes{upperCaseName: true}), []string{abilities, message}},

		{"drops files", memoryHarness(mistakes{dropsFiles: true}), []string{upload, fileOnce, fileSaid}},
		{"forgets the names of files", memoryHarness(mistakes{renamesFiles: true}), []string{upload}},
		{"sends the first file only", memoryHarness(mistakes{firstFileOnly: true}), []string{upload}},
		{"cuts files", memoryHarness(mistakes{cutsFiles: true}), []string{upload, fileOnce}},
		{"sends a file again when it is tried again", memoryHarness(mistakes{filesTwice: true}), []string{fileOnce}},
		{"ignores the key, also of files", memoryHarness(mistakes{ignoresKey: true}), []string{fileOnce}},
		{"drops a file that is too large", memoryHarness(mistakes{dropsLargeFile: true}), []string{fileSaid}},
		{"takes files that are smaller than it says", memoryHarness(mistakes{lowFileSize: true}), []string{fileSaid}},
		{"says that larger files fit", memoryHarness(mistakes{highFileSize: true}), []string{fileSaid}},
		{"says Delivered for a file that was refused", memoryHarness(mistakes{fileIsAlwaysDelivered: true}), []string{fileSaid}},
		{"does not say how large a file may be", memoryHarness(mistakes{noFileSize: true}), []string{abilities, upload, fileOnce, fileSaid}},
		{"sends files and denies it", cannot(mistakes{}, func(h *Harness) { h.Upload = Cannot }), []string{abilities, upload}},
		{"loses what people attach", memoryHarness(mistakes{losesAttached: true}), []string{attached}},
		{"hands over files without their bytes", memoryHarness(mistakes{losesAttachedBytes: true}), []string{attached}},
		{"fetches files for the first try only", memoryHarness(mistakes{attachesOnce: true}), []string{attached}},

		{"opens a post with its text", memoryHarness(mistakes{opensWithText: true}), []string{opened}},
		{"gives what is opened no id", memoryHarness(mistakes{openHasNoID: true}), []string{opened, openLost, openFiles}},
		{"says Delivered for what could not be opened", memoryHarness(mistakes{openIsAlwaysDelivered: true}), []string{openLost}},
		{"posts anew what was opened", memoryHarness(mistakes{forgetsOpened: true}), []string{opened, openFiles}},
		{"opens with the text, again and again", memoryHarness(mistakes{opensTextTwice: true}), []string{openLost}},
		{"drops the files of what was opened", memoryHarness(mistakes{dropsOpenedFiles: true}), []string{openFiles}},
		{"opens posts and denies it", cannot(mistakes{}, func(h *Harness) { h.Open = Cannot }), []string{abilities, opened, openLost, openFiles}},

		{"drops choices", memoryHarness(mistakes{dropsChoices: true}), []string{choices}},
		{"leaves choices there", memoryHarness(mistakes{keepsChoices: true}), []string{choices}},
		{"adds choices to those that are there", memoryHarness(mistakes{addsChoices: true}), []string{choices}},
		{"loses what is pressed", memoryHarness(mistakes{losesPress: true}), []string{choices}},
		{"takes what is pressed for taken off", memoryHarness(mistakes{pressIsRemoval: true}), []string{choices}},
		{"does not say how many choices fit", memoryHarness(mistakes{noChoices: true}), []string{abilities, choices}},
		{"has buttons and denies it", cannot(mistakes{}, func(h *Harness) { h.Choose = Cannot }), []string{abilities, choices}},

		{"lacks what the harness promises", memoryHarness(mistakes{lacks: true}), []string{abilities, edit, deletion, react, typing, honest, upload, opened, openLost, openFiles, choices}},
		{"has what the harness denies", cannot(mistakes{}, func(h *Harness) { h.Edit = Cannot }), []string{abilities, edit, honest}},
		{
			"has a harness that says nothing",
			Harness{Start: memoryHarness(mistakes{}).Start},
			[]string{abilities, received, post, keys, edit, deletion, react, typing, honest, upload, fileOnce, fileSaid, attached, opened, openLost, openFiles, choices},
		},
	} {
		for _, name := range test.caught {
			catches[name] = true
		}
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			test.harness.Patience = time.Second
			failed := map[string][]string{}
			var mu sync.Mutex
			var wg sync.WaitGroup
			for _, c := range checks {
				wg.Go(func() {
					complaints := observe(c, test.harness)
					mu.Lock()
					defer mu.Unlock()
					if len(complaints) > 0 {
						failed[c.name] = complaints
					}
				})
			}
			wg.Wait()
			for _, name := range test.caught {
				if len(failed[name]) == 0 {
					t.Errorf("not caught by %q; others complained: %v", name, failed)
				}
			}
		})
	}
	for _, c := range checks {
		if !catches[c.name] {
			t.Errorf("no mistake is there for %q to catch", c.name)
		}
	}
}

// observe runs a check and gives what it complained about.
func observe(c check, h Harness) []string {
	o := &observer{}
	done := make(chan struct{})
	go func() {
		defer close(done)
		defer o.cleanUp()
		c.run(o, h)
	}()
	<-done
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.complaints
}

// An observer is a T whose failures are not those of the test.
type observer struct {
	mu         sync.Mutex
	complaints []string
	cleanups   []func()
}

func (o *observer) Helper() {}

func (o *observer) Cleanup(f func()) { o.cleanups = append(o.cleanups, f) }

func (o *observer) cleanUp() {
	for _, f := range slices.Backward(o.cleanups) {
		f()
	}
}

func (o *observer) Errorf(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.complaints = append(o.complaints, strings.TrimSpace(fmt.Sprintf(format, args...)))
}

func (o *observer) Fatalf(format string, args ...any) {
	o.Errorf(format, args...)
	runtime.Goexit()
}
