package turn

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/asidehq/aside/extract"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/model"
)

// A Folder folds what has become too old for the prompt into the summary of its
// session, beside the turns. What it could not do is done when the next prompt is
// full; the exchanges themselves stay in the store.
type Folder struct {
	Store  *store.Store
	Model  model.Model // nil where there is none that could: then the first words of each message are kept
	Tokens int         // of history in a prompt
	Logger *slog.Logger

	once    sync.Once
	ctx     context.Context
	cancel  context.CancelFunc
	folding sync.WaitGroup
	mu      sync.Mutex
	busy    map[string]bool // sessions
	closed  bool
}

func (f *Folder) prepare() {
	f.once.Do(func() {
		f.ctx, f.cancel = context.WithCancel(context.Background())
		f.busy = map[string]bool{}
	})
}

// Start folds a session's older exchanges, unless that is being done already.
func (f *Folder) Start(session string) {
	f.prepare()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed || f.busy[session] {
		return
	}
	f.busy[session] = true
	f.folding.Go(func() {
		defer func() {
			f.mu.Lock()
			defer f.mu.Unlock()
			delete(f.busy, session)
		}()
		if err := f.Fold(f.ctx, session); err != nil && f.ctx.Err() == nil {
			f.Logger.Warn("the conversation could not be summarised; it is tried again", "session", session, "error", err)
		}
	})
}

// Wait waits for what is being folded.
func (f *Folder) Wait() { f.folding.Wait() }

// Stop gives up on what is being folded.
func (f *Folder) Stop() {
	f.prepare()
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.cancel()
	f.folding.Wait()
}

// Fold folds a session's exchanges until half of what a prompt holds is left.
func (f *Folder) Fold(ctx context.Context, session string) error {
	for {
		old, err := f.Store.Summary(ctx, session)
		if err != nil {
			return err
		}
		exchanges, err := f.Store.Exchanges(ctx, session, old.Until, math.MaxInt64, foldedAtOnce)
		if err != nil {
			return err
		}
		older := f.older(exchanges)
		if len(older) == 0 {
			return nil
		}
		text, err := f.summarise(ctx, old.Text, older)
		if err != nil {
			return err
		}
		if err := f.Store.SaveSummary(ctx, session, old, store.Summary{Until: older[len(older)-1].Message, Text: text}); err != nil {
			return err
		}
	}
}

// InShort is a session up to a message in short. It is stored nowhere, and without a model
// that answers it is the first words of what was said.
func (f *Folder) InShort(ctx context.Context, session string, before int64) (string, error) {
	summary, err := f.Store.Summary(ctx, session)
	if err != nil {
		return "", err
	}
	exchanges, err := f.Store.Exchanges(ctx, session, summary.Until, before, 2*mostExchanges)
	if err != nil {
		return "", err
	}
	recent, _ := fitting(exchanges, f.Tokens)
	slices.Reverse(recent)
	if len(recent) == 0 {
		return summary.Text, nil
	}
	text, err := f.summarise(ctx, summary.Text, recent)
	if err != nil && ctx.Err() == nil {
		f.Logger.WarnContext(ctx, "the conversation could not be summarised; its first words are", "session", session, "error", err)
		return f.firstWords(summary.Text, recent), nil
	}
	return text, err
}

// older are the exchanges to be folded next, oldest first: what does not fit into half
// of a prompt, and of that as much as the model can read at a time.
func (f *Folder) older(newestFirst []store.Exchange) []store.Exchange {
	sum := 0
	for i, x := range newestFirst {
		if sum += tokens(x); sum <= f.Tokens/2 && i < mostExchanges/2 || i == 0 { // the last one stays, however long
			continue
		}
		older := slices.Clone(newestFirst[i:])
		slices.Reverse(older)
		read := 0
		for n, x := range older {
			if read += tokens(x); read > 2*f.Tokens && n > 0 {
				return older[:n]
			}
		}
		return older
	}
	return nil
}

// foldedAtOnce is how many exchanges are looked at.
const foldedAtOnce = 500

// summaryTokens is how long a summary may get.
func (f *Folder) summaryTokens() int { return max(50, f.Tokens/4) }

const askSummary = `You keep the summary of a conversation, for the assistant who takes part in it and will not see what you leave out.
Write the new summary from the one so far and what was said after it. Keep what was decided, promised, asked and left open, names, numbers, dates and wishes; leave out small talk.
Write at most %d words, plain text, nothing else.`

// summarise is the summary of an earlier one and what was said after it.
func (f *Folder) summarise(ctx context.Context, before string, after []store.Exchange) (string, error) {
	if f.Model == nil {
		return f.firstWords(before, after), nil
	}
	var b strings.Builder
	b.WriteString("The summary so far:\n" + before + "\n\nWhat was said after it:\n")
	for _, x := range after {
		fmt.Fprintf(&b, "%s: %s\nAssistant: %s\n", x.Author, x.Text, x.Answer)
	}
	var reply strings.Builder
	request := model.Request{
		System:   fmt.Sprintf(askSummary, f.summaryTokens()*3/4),
		Messages: []model.Message{{Role: model.User, Text: b.String()}},
	}
	for delta, err := range f.Model.Stream(ctx, request) {
		if err != nil {
			return "", err
		}
		if delta.Restart {
			reply.Reset()
		}
		reply.WriteString(delta.Text)
	}
	// It will stand in prompts: what looks like an instruction is none of the summary's
	// business.
	read := extract.Read(extract.Config{Dialects: extract.Everything &^ extract.Envelope}, []byte(reply.String()))
	summary := cutTokens(strings.TrimSpace(string(read.Text)), 2*f.summaryTokens())
	if summary == "" {
		return "", errors.New("the summary is empty")
	}
	return summary, nil
}

// firstWords keeps the first words of each message, and of them as many as fit, the
// last ones first.
func (f *Folder) firstWords(before string, after []store.Exchange) string {
	lines := strings.Split(before, "\n")
	for _, x := range after {
		lines = append(lines, x.Author+": "+cutTokens(firstLine(x.Text), 20))
		if x.Answer != "" {
			lines = append(lines, "You: "+cutTokens(firstLine(x.Answer), 20))
		}
	}
	sum := 0
	for i := len(lines) - 1; i >= 0; i-- {
		if sum += model.Tokens(lines[i]); sum > f.summaryTokens() {
			return strings.Join(lines[i+1:], "\n")
		}
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(text), "\n")
	return line
}

// cutTokens is the beginning of a text that has no more than so many tokens, as
// model.Tokens counts them.
func cutTokens(text string, most int) string {
	quarters := 0
	for i, r := range text {
		quarters++
		if r >= utf8.RuneSelf {
			quarters += 3
		}
		if quarters > 4*most {
			return text[:i] + "…"
		}
	}
	return text
}

// tokens is about how many an exchange has.
func tokens(x store.Exchange) int { return model.Tokens(x.Text) + model.Tokens(x.Answer) }
