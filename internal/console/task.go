package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"

	"github.com/asidehq/aside/catalogue/tasks"
	"github.com/asidehq/aside/internal/operator"
)

const (
	// tasksListed is how many tasks are listed where nobody says how many.
	tasksListed = 100
	// longestTask is how long the JSON of a task may be, in bytes.
	longestTask = 64 << 10
	// longestImport is how long an import may be, in bytes.
	longestImport = 64 << 20
)

func (c *Console) tasks(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	q := tasks.Query{Status: query.Get("status"), Label: query.Get("label"), Limit: tasksListed}
	if limit := query.Get("limit"); limit != "" {
		q.Limit, _ = strconv.Atoi(limit) // what is no number is no limit that there can be
	}
	page, err := c.operator().ListTasks(r.Context(), q)
	taskAnswer(w, http.StatusOK, page, err)
}

func (c *Console) task(w http.ResponseWriter, r *http.Request) {
	t, err := c.operator().Task(r.Context(), r.PathValue("id"))
	taskAnswer(w, http.StatusOK, t, err)
}

func (c *Console) addTask(w http.ResponseWriter, r *http.Request) {
	f, err := taskFields(w, r)
	var t tasks.Task
	if err == nil {
		t, err = c.operator().AddTask(r.Context(), f)
	}
	taskAnswer(w, http.StatusCreated, t, err)
}

func (c *Console) updateTask(w http.ResponseWriter, r *http.Request) {
	f, err := taskFields(w, r)
	var changed operator.TaskChange
	if err == nil {
		changed, err = c.operator().UpdateTask(r.Context(), r.PathValue("id"), f)
	}
	taskAnswer(w, http.StatusOK, changed, err)
}

func (c *Console) closeTask(w http.ResponseWriter, r *http.Request) {
	f, err := taskFields(w, r)
	if err == nil && (f.Title != nil || f.Description != nil || f.Priority != nil || f.Status != nil || f.Labels != nil) {
		err = tasks.Mistake("to close a task takes nothing but a reason")
	}
	var changed operator.TaskChange
	if err == nil {
		reason := ""
		if f.Reason != nil {
			reason = *f.Reason
		}
		changed, err = c.operator().CloseTask(r.Context(), r.PathValue("id"), reason)
	}
	taskAnswer(w, http.StatusOK, changed, err)
}

func (c *Console) importTasks(w http.ResponseWriter, r *http.Request) {
	report, err := c.operator().ImportTasks(r.Context(), http.MaxBytesReader(w, r.Body, longestImport))
	var large *http.MaxBytesError
	if errors.As(err, &large) {
		err = tasks.Mistake(fmt.Sprintf("the file is larger than %d MB; %d tasks of its beginning were added, so import it in parts", longestImport>>20, report.Added))
	}
	taskAnswer(w, http.StatusOK, report, err)
}

// taskFields reads what a request says about a task. No body says nothing.
func taskFields(w http.ResponseWriter, r *http.Request) (f operator.TaskFields, err error) {
	decoder := json.NewDecoder(http.MaxBytesReader(w, r.Body, longestTask))
	decoder.DisallowUnknownFields()
	switch err := decoder.Decode(&f); {
	case errors.Is(err, io.EOF):
	case err != nil, decoder.More():
		return f, tasks.Mistake("the body is not a JSON object with some of title, description, priority, status, labels and reason")
	}
	return f, nil
}

// taskAnswer answers what became of a request about tasks.
func taskAnswer(w http.ResponseWriter, status int, body any, err error) {
	var mistake tasks.Mistake
	switch {
	case err == nil:
		answer(w, status, body)
	case errors.Is(err, tasks.ErrNoTask):
		answer(w, http.StatusNotFound, problem{err.Error()})
	case errors.As(err, &mistake):
		answer(w, http.StatusBadRequest, problem{mistake.Error()})
	case errors.Is(err, operator.ErrOff):
		answer(w, http.StatusForbidden, problem{err.Error()})
	default:
		answer(w, http.StatusServiceUnavailable, problem{"the board cannot be reached; try again"})
	}
}
