package tasks

import (
	"context"

	"github.com/asidehq/aside/action"
)

func sync(forum Forum) *action.Spec {
	return action.Define(action.Spec{
		Name: "taskSync", Category: category,
		Description: "Compare the board with the threads of its forum and mend what differs. This happens by itself; it is for when something looks wrong.",
		Example:     `{"type":"taskSync"}`,
		Repeatable:  true, // what is mended stays so
	}, func(ctx context.Context, _ action.Call, _ struct{}) action.Outcome {
		if forum == nil {
			return noForum()
		}
		return reported(forum.Sync(ctx))
	})
}

func reloadTags(forum Forum) *action.Spec {
	return action.Define(action.Spec{
		Name: "tagMapReload", Category: category,
		Description: "Read the file anew that says which labels of tasks have which of the forum's tags.",
		Example:     `{"type":"tagMapReload"}`,
		Repeatable:  true,
	}, func(ctx context.Context, _ action.Call, _ struct{}) action.Outcome {
		if forum == nil {
			return noForum()
		}
		return reported(forum.ReloadTags(ctx))
	})
}

func noForum() action.Outcome {
	return action.Fail("no forum shows the tasks; whoever looks after Aside can name one in aside.yaml, as tasks: {forum: discord/1234}")
}

func reported(report string, err error) action.Outcome {
	if err != nil {
		return action.Fail("%v", err)
	}
	return action.Done("%s", report)
}
