// Spinebench measures the real program, as make build makes it, with a model beside
// it that answers at once, and checks the budgets: what a message costs from the
// request to the visible answer, how many of them fit into a second, how long a start
// takes, how much memory and how many flushes to the disk it needs; and, on a store with
// much in it, how long it takes to choose what a prompt says.
//
//	go run ./internal/tools/spinebench [-database sqlite|postgres] [-quick] [-memory]
//
// The numbers are those of a machine and of its disk: the first row of the table says
// how long the disk takes for one flush. It exits with 1 if a budget is missed.
// What cannot be measured here is said to be so, and is not a missed budget.
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"time"
)

// An options says what is measured and for how long.
type options struct {
	database string
	binary   string // "" builds one
	dir      string

	warmUp     int // messages before the times are taken
	sequential int // messages whose times are taken
	spaced     int // the same with a pause after each
	rooms      int // that write at the same time
	busy       time.Duration
	starts     int
	small, big int // messages between which memory may hardly grow
	flushed    int // messages whose flushes are counted
	memory     bool
	episodes   int // in the store when it is measured how long remembering takes
	recalled   int // prompts whose times are taken then
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "spinebench:", err)
		os.Exit(1)
	}
}

func run() error {
	o := options{
		warmUp: 100, sequential: 500, spaced: 100, rooms: 64, busy: 10 * time.Second,
		starts: 7, small: 1000, big: 10000, flushed: 200, episodes: 100_000, recalled: 500,
	}
	flag.BoolVar(&o.memory, "memory", false, "measure only how long remembering takes")
	quick := flag.Bool("quick", false, "fewer messages, shorter runs: a look, not a measurement")
	flag.StringVar(&o.database, "database", "sqlite", "sqlite, or postgres for the times per message on a server of its own; those have no budget")
	flag.StringVar(&o.binary, "binary", "", "measure this program instead of building one")
	flag.StringVar(&o.dir, "dir", "", "keep the data here, on the disk to be measured, instead of in the temporary directory")
	flag.IntVar(&o.sequential, "messages", o.sequential, "one after the other, whose times are taken")
	flag.IntVar(&o.big, "big", o.big, "messages after which memory is measured again")
	flag.DurationVar(&o.busy, "busy", o.busy, "how long all rooms write at the same time")
	flag.Parse()
	if flag.NArg() > 0 || o.database != "sqlite" && o.database != "postgres" {
		return fmt.Errorf("usage: spinebench [-database sqlite|postgres] [-quick]; see -help")
	}
	if *quick {
		o.warmUp, o.sequential, o.spaced, o.busy, o.starts, o.big, o.flushed, o.recalled = 20, 100, 20, 2*time.Second, 3, 2000, 50, 100
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	dir, err := os.MkdirTemp(o.dir, "spinebench")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	b := &bench{options: o, dir: dir}
	rows, err := b.measure(ctx)
	if err != nil {
		return err
	}
	fmt.Println()
	printTable(os.Stdout, rows)
	if n := missed(rows); n > 0 {
		return fmt.Errorf("%d of %d budgets missed", n, withBudget(rows))
	}
	return nil
}
