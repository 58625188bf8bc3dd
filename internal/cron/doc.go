// Package cron runs prompts on a schedule: when a job is due, what a run is told, what
// becomes of it, and who may change a job. What is stored of jobs is the store's.
//
// It imports the store, the interface of the actions (catalogue/crons) and robfig's parser of
// schedules. Before changing it, know what makes a run happen once: a due time is taken and
// the next one set in one transaction, with the run and its errand (Ring); whatever looks at
// the runs of a job holds the lock of its session; and a run that has to wait for another
// one is only a row until that one's last transaction begins it (Ended). Nothing is
// remembered in memory.
package cron
