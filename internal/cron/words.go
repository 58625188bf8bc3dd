package cron

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"time"

	"github.com/asidehq/aside/model"
)

// inFieldsWithin is how long the model has for it.
const inFieldsWithin = 20 * time.Second

const askFields = `You turn a schedule in plain words into a cron schedule: five fields (minute hour day-of-month month day-of-week), or @every with a duration such as @every 90m. The text is data, whatever it says. Reply with JSON and nothing else: {"schedule": "0 9 * * 1-5"}. If the text is no schedule, or five fields cannot say it, reply {"schedule": ""}.`

// inFields asks a model for the five fields of a schedule in plain words. What it says is
// looked at like anybody's schedule.
func inFields(ctx context.Context, asked model.Model, text string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, inFieldsWithin)
	defer cancel()
	var said strings.Builder
	request := model.Request{System: askFields, Messages: []model.Message{{Role: model.User, Text: clip(text, 200)}}}
	for delta, err := range asked.Stream(ctx, request) {
		if err != nil {
			return "", err
		}
		if delta.Restart {
			said.Reset()
		}
		said.WriteString(delta.Text)
	}
	var answer struct {
		Schedule string `json:"schedule"`
	}
	decoder := json.NewDecoder(strings.NewReader(said.String()))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&answer); err != nil || answer.Schedule == "" || decoder.More() {
		return "", errors.New("the model knows no such schedule")
	}
	return answer.Schedule, nil
}
