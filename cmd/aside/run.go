package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"os"
	"os/signal"
	"runtime/debug"
	"slices"
	"sync"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"go.opentelemetry.io/otel/trace"

	"github.com/asidehq/aside/internal/access"
	"github.com/asidehq/aside/internal/config"
	"github.com/asidehq/aside/internal/console"
	"github.com/asidehq/aside/internal/cron"
	"github.com/asidehq/aside/internal/episode"
	"github.com/asidehq/aside/internal/inbox"
	"github.com/asidehq/aside/internal/logging"
	"github.com/asidehq/aside/internal/markdown"
	"github.com/asidehq/aside/internal/operator"
	"github.com/asidehq/aside/internal/otlp"
	"github.com/asidehq/aside/internal/outbox"
	"github.com/asidehq/aside/internal/queue"
	"github.com/asidehq/aside/internal/store"
	"github.com/asidehq/aside/internal/turn"
	"github.com/asidehq/aside/platform"
	"github.com/asidehq/aside/platform/web"
)

// runFlags are the flags of run; what is set counts more than the file.
type runFlags struct {
	config configPath
	data   string
	listen string
	format string
	level  string
}

func newRun() *cobra.Command {
	var flags runFlags
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Run the agent",
		Long: `Run the agent until Ctrl-C. Without a configuration it keeps its data in ./data,
serves the web chat at http://127.0.0.1:8787, and answers with the built-in
rehearsal model, which needs no key.`,
		Example: `  aside run
  aside run --config aside.yaml --log-level debug`,
		Args: noRunArguments,
		RunE: flags.run,
	}
	flags.register(cmd)
	return cmd
}

// register adds the flags to a command that runs the agent.
func (f *runFlags) register(cmd *cobra.Command) {
	f.config.flag(cmd)
	cmd.Flags().StringVar(&f.data, "data", "", "the data directory")
	cmd.Flags().StringVar(&f.listen, "listen", "", "the address of the web chat, such as 127.0.0.1:8787")
	cmd.Flags().StringVar(&f.format, "log-format", "", "text or json (default text)")
	cmd.Flags().StringVar(&f.level, "log-level", "", "debug, info, warn or error (default info)")
}

// run runs the agent until it is interrupted.
func (f *runFlags) run(cmd *cobra.Command, _ []string) error {
	c, err := f.load()
	if err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	collector, wrong := otlp.FromEnv(os.LookupEnv)
	hider := logging.NewHider(append(c.Secrets(), collector.Secrets()...))
	log := logging.New(cmd.ErrOrStderr(), logging.Format(c.Log.Format), c.Log.Level, hider)
	if wrong != nil { // which is no reason not to answer people
		log.Warn("no traces are sent", "error", wrong)
	}
	tracer, stopTraces, err := newTracer(ctx, collector, log)
	if err != nil {
		return err
	}
	defer stopTraces()
	err = serve(ctx, c, tracer, log, func(at net.Addr) {
		fmt.Fprintf(cmd.OutOrStdout(), "Aside is ready at http://%s (data in %s, model %s)\n", at, c.Data, c.Model(config.Chat).Provider)
	})
	if err != nil {
		return errors.New(hider.Text(err.Error()))
	}
	return nil
}

func noRunArguments(_ *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	return fmt.Errorf("unexpected argument %q; see aside run --help", args[0])
}

// load reads the configuration and puts the flags over it.
func (f *runFlags) load() (*config.Config, error) {
	c, err := f.config.load()
	if err != nil {
		return nil, err
	}
	if f.data != "" {
		c.Data = f.data
	}
	if f.listen != "" {
		if _, _, err := net.SplitHostPort(f.listen); err != nil {
			return nil, fmt.Errorf("--listen: %q is not an address such as 127.0.0.1:8787", f.listen)
		}
		c.Listen = config.Address(f.listen)
	}
	return c, f.loadLog(c)
}

// loadLog puts the flags of the log over the configuration.
func (f *runFlags) loadLog(c *config.Config) (err error) {
	if f.format != "" {
		if c.Log.Format, err = config.ReadLogFormat(f.format); err != nil {
			return fmt.Errorf("--log-format: %w", err)
		}
	}
	if f.level != "" {
		if c.Log.Level, err = config.ReadLogLevel(f.level); err != nil {
			return fmt.Errorf("--log-level: %w", err)
		}
	}
	return nil
}

// stopTime is how long running turns have to reach their next stage.
const stopTime = 8 * time.Second

// serve runs everything until the context ends, and then stops it in the reverse
// order: no new messages, no new turns, the store. It calls ready once it listens.
func serve(ctx context.Context, c *config.Config, tracer trace.Tracer, log *slog.Logger, ready func(net.Addr)) error {
	ctx, quit := context.WithCancel(ctx)
	defer quit()
	s, err := openStore(ctx, c, wait)
	if err != nil {
		return err
	}
	defer s.Close()
	metrics := newMetrics(s)

	listener, err := net.Listen("tcp", string(c.Listen))
	if err != nil {
		return fmt.Errorf("cannot listen on %s: %w; stop what is there, or choose another address with --listen", c.Listen, errors.Unwrap(err))
	}
	defer listener.Close()

	if err := s.Announce(c.Data, listener.Addr().String()); err != nil {
		log.Warn("aside turns and aside dead will not find this process", "error", err)
	}
	desk := &console.Console{Local: operator.Local{Store: s, Leave: turn.IsCommand}}
	chat, err := console.NewPage(console.Setting{
		Agent: c.Persona.Name, Token: c.Token.Reveal() != "", FileCount: web.MostFiles, FileSize: int64(c.Files.MaxSize),
		Marks:   glyphs(c).Texts(),
		Pairing: c.Platforms.Pairs(),
	})
	if err != nil {
		return err
	}
	platforms, err := newPlatforms(c, s, log)
	if err != nil {
		return err
	}
	more := desk.Routes()
	maps.Copy(more, chat.Routes())
	brought := hooks(platforms)
	maps.Copy(more, brought)
	work := newErrands(c, s, log)
	if hook := cronHook(c, work.crons); hook != nil {
		more["POST "+cron.HookPath], brought[cron.HookPath] = hook, hook
	}
	page, err := web.New(web.Options{
		Log: store.Web{Store: s}, Now: time.Now, Agent: c.Persona.Name, Logger: log.With("platform", "web"),
		Listen: listener.Addr().String(), Token: c.Token.Reveal(), PublicURL: c.PublicURL.Reveal(), FileSize: int64(c.Files.MaxSize),
		Turns: operator.Pages{Local: operator.Local{Store: s}, Reading: readingOf(c)},
		More:  more, Open: slices.AppendSeq(chat.Paths(), maps.Keys(brought)), Render: markdown.New().HTML,
	})
	if err != nil {
		return err
	}
	platforms = append(platforms, page)
	byName := map[string]platform.Platform{}
	for _, p := range platforms {
		byName[p.Name()] = p
	}
	outgoing := &outbox.Outbox{
		Store: s, Platforms: byName,
		MaxAge: c.Deliver.MaxAge, Now: time.Now, Wait: wait, Metrics: metrics,
	}
	models, err := newModels(c, metrics, choiceTeller(s), log)
	if err != nil {
		return err
	}
	engine, err := newEngine(c, s, models, outgoing, work, metrics, log)
	if err != nil {
		return err
	}
	engine.Tracer = tracer
	marks := keepMarks(c, s, byName, page.Changed, log)
	defer marks.stop()
	jobs := queue.New(s, queue.Options{
		Parallel: c.Sessions.Parallel, Logger: log, Step: engine.Step,
		Begin: marks.begin(func(ctx context.Context, t *store.Turn) (context.Context, func(error)) {
			return work.begin(ctx, t, engine.Begin)
		}),
	})
	desk.Queue, desk.Metrics = jobs, metricsPage(metrics, s, jobs, log)
	desk.Gatherer, desk.Budget = engine.Gatherer, c.History.Tokens
	desk.Board, desk.Jobs, desk.Later, desk.Off = work.board, work.crons, work.later, policy(c).Off
	desk.Planning, desk.Forges = work.plans, work.forging
	door := newDoor(c, s, outgoing, log)
	stop := stopper(ctx, s, engine, log)
	work.connect(c, jobs, engine, outgoing, stop, log)
	work.forums.join(jobs, door)
	work.forums.listen(work.board, work.crons)
	engine.ModelOf, engine.Barred, engine.Ended = modelOf(models), barred(c, door, outgoing), work.end
	if err := jobs.Start(ctx); err != nil {
		return err
	}
	defer engine.Folder.Stop()
	desk.Told = door.Wake
	incoming := &inbox.Inbox{Store: s, Queue: jobs, Rules: rules(c), Now: time.Now, Stop: stopPlansToo(ctx, work.plans, stop, log)}
	incoming.Rules.Door, incoming.Await = door, jobs.Await
	heeder := &turn.Heeder{Engine: engine, Stop: incoming.Stop}
	defer heeder.Wait()
	incoming.Heed = func(turn int64) { heeder.Heed(ctx, turn) }

	var beside sync.WaitGroup
	work.run(ctx, &beside)
	work.forums.run(ctx, &beside, jobs)
	beside.Go(func() { keepEpisodes(ctx, jobs, newArchivist(c, s, engine, log)) })
	beside.Go(func() { tellLate(ctx, outgoing, log) })
	beside.Go(func() { door.Run(ctx, wait) })
	beside.Go(func() { s.Hear(ctx, hearer(page, engine, models, door, work)) })
	received := receive(ctx, platforms, watching{incoming, work.forums}, jobs, quit)
	server := &http.Server{Handler: page.Handler(), ReadHeaderTimeout: 10 * time.Second, ErrorLog: slog.NewLogLogger(log.Handler(), slog.LevelDebug)}
	serving := make(chan error, 1)
	go func() { serving <- server.Serve(listener) }()
	ready(listener.Addr())
	debug.FreeOSMemory() // what starting took, some 8 MB, is not needed any more

	var served error
	select {
	case <-ctx.Done():
		log.Info("stopping")
	case served = <-serving:
		served = fmt.Errorf("the web server has stopped: %w", served)
		quit()
	}
	beside.Wait()
	stopping, cancel := context.WithTimeout(context.WithoutCancel(ctx), stopTime)
	defer cancel()
	return errors.Join(served, received(), server.Shutdown(stopping), jobs.Stop(stopping))
}

// rules say which messages start a turn.
func rules(c *config.Config) inbox.Rules {
	return inbox.Rules{
		Allowed:   func(m platform.Message) bool { return allowed(c, m) },
		Mode:      func(m platform.Message) inbox.Mode { return inbox.Mode(modeOf(c, m)) },
		Debounce:  func(m platform.Message) time.Duration { return c.Groups.DebounceOf(rooms(m)...) },
		Limits:    func(m platform.Message) []store.Limit { return limits(c, m) },
		Posing:    func(name string) bool { return name != "web" }, // whose people have the token
		Command:   turn.IsCommand,
		Reactions: c.Reactions.Handler, OnRemove: c.Reactions.OnRemove, ReactionAge: c.Reactions.MaxAge,
	}
}

// stopper stops a session's turn in whichever process it runs.
func stopper(ctx context.Context, s *store.Store, e *turn.Engine, log *slog.Logger) func(string, int64) {
	return func(session string, before int64) {
		e.Stop(session, before)
		if err := s.Tell(ctx, store.StopTurns, store.StopText(session, before)); err != nil {
			log.Error("other processes were not told to stop", "session", session, "error", err)
		}
	}
}

// choiceTeller tells every process which model has a role.
func choiceTeller(s *store.Store) tellChoice {
	return func(ctx context.Context, role, model string) error {
		if err := s.Tell(ctx, store.ModelChosen, store.ChoiceText(role, model)); err != nil {
			return errors.New("the other processes cannot be told, so nothing was changed; try again")
		}
		return nil
	}
}

// hearer does what other processes ask for.
func hearer(page *web.Web, e *turn.Engine, models *roleModels, door *access.Door, work *errands) func(store.Topic, string) {
	return func(topic store.Topic, text string) {
		switch topic {
		case store.RoomChanged:
			page.Changed(text)
		case store.Listening:
			page.AnyChanged()
		case store.StopTurns:
			e.Stop(store.ReadStop(text))
		case store.ModelChosen:
			models.Hear(store.ReadChoice(text))
		case store.PairingChanged:
			door.Wake()
		case store.TasksChanged:
			work.forums.changed("tasks")
		case store.CronsChanged:
			work.cronsChanged()
		}
	}
}

// explainOpen adds what can be done about a store that does not open.
func explainOpen(err error, data string) error {
	var path *fs.PathError
	switch {
	case errors.Is(err, store.ErrInUse):
		return fmt.Errorf("%w (%s); stop it first, or give this one another --data", err, data)
	case errors.Is(err, store.ErrDamaged):
		return fmt.Errorf("%w; put a backup in its place, or move it away to begin with an empty one", err)
	case errors.Is(err, store.ErrFull):
		return fmt.Errorf("%w; free some space, or choose another directory with --data", err)
	case errors.As(err, &path):
		return fmt.Errorf("%w; it has to be a directory that can be written to: choose another with --data", err)
	}
	return err
}

// keepEpisodes makes episodes, in one process at a time: each would ask a model for the same.
func keepEpisodes(ctx context.Context, jobs *queue.Queue, archivist *episode.Archivist) {
	_ = jobs.InSeat(ctx, "episodes", func(ctx context.Context, _ func(context.Context) error) error { // which has no errors but the context's
		return archivist.Run(ctx, wait)
	})
}

// lateEvery is how often rooms are told of answers that came too late for them.
const lateEvery = time.Minute

func tellLate(ctx context.Context, out *outbox.Outbox, log *slog.Logger) {
	for {
		if err := out.TellLate(ctx); err != nil && ctx.Err() == nil {
			log.Error("could not tell of late answers", "error", err)
		}
		if wait(ctx, lateEvery) != nil {
			return
		}
	}
}

// wait waits for a time, or returns the context's error.
func wait(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
