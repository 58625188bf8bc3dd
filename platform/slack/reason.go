package slack

import (
	"strings"
	"time"

	"github.com/asidehq/aside/platform"
)

// What Slack's errors mean to a person.
var reasons = map[string]string{
	"channel_not_found":                        "there is no such channel on Slack, or the bot cannot see it: invite it with /invite",
	"not_in_channel":                           "the bot is not in this channel: invite it with /invite",
	"is_archived":                              "the channel is archived",
	"already_archived":                         "the channel is archived already",
	"channel_is_archived":                      "the channel is archived",
	"restricted_action":                        "the workspace does not let the bot do this: ask one of its admins",
	"restricted_action_read_only_channel":      "only some people may write in this channel",
	"restricted_action_thread_only_channel":    "in this channel one can only answer in threads",
	"restricted_action_non_threadable_channel": "this channel has no threads",
	"restricted_action_thread_locked":          "the thread is locked",
	"msg_too_long":                             "this is too long for Slack",
	"msg_blocks_too_long":                      "this is too long for Slack",
	"no_text":                                  "Slack takes no empty messages",
	"cant_update_message":                      "only messages of the bot itself can be edited",
	"edit_window_closed":                       "the message is too old to be edited in this workspace",
	"cant_delete_message":                      "the bot may not delete this message",
	"message_not_found":                        "there is no such message on Slack any more",
	"thread_not_found":                         "there is no such thread on Slack any more",
	"invalid_name":                             "Slack does not know this emoji",
	"too_many_emoji":                           "the message has as many reactions as Slack allows",
	"too_many_reactions":                       "the bot has put as many reactions on the message as Slack allows",
	"too_many_pins":                            "the channel has as many pins as Slack allows",
	"not_pinnable":                             "Slack does not pin this message",
	"name_taken":                               "there is a channel of this name already",
	"invalid_name_required":                    "a channel needs a name",
	"invalid_name_punctuation":                 "the name of a channel cannot consist of punctuation alone",
	"invalid_name_maxlength":                   "the name of a channel has 80 characters at most",
	"invalid_name_specials":                    "the name of a channel has small letters, digits, - and _ only",
	"not_authorized":                           "the bot may do this only with channels that it has made",
	"cant_archive_general":                     "the workspace's general channel cannot be archived",
	"cant_archive_required":                    "this channel is required and cannot be archived",
	"method_not_supported_for_channel_type":    "Slack does not do this in chats of this kind",
	"user_not_found":                           "there is no such person on Slack",
	"user_not_visible":                         "there is no such person on Slack",
	"users_not_found":                          "there is no such person on Slack",
	"cannot_dm_bot":                            "bots take no direct messages",
	"file_not_found":                           "there is no such file on Slack",
	"file_uploads_disabled":                    "the workspace takes no files",
	"file_upload_size_restricted":              "the file is larger than the workspace takes",
	"storage_limit_reached":                    "the workspace has no space for files left",
	"not_allowed_token_type":                   "Slack lets people do this, but not bots",
	"ekm_access_denied":                        "the workspace's admins have suspended access to messages",
	"no_permission":                            "the app lacks a permission for this: look at its scopes in docs/slack.md",
	"message_limit_exceeded":                   "the workspace has as many messages as its plan allows",
	"team_access_not_granted":                  "the app was not given access to this workspace",
}

const wrongToken = "Slack does not accept the bot's token: copy it anew from the app's page, OAuth & Permissions, into platforms.slack.bot_token"

// auth are the errors that a person must mend.
var auth = map[string]bool{
	"invalid_auth": true, "not_authed": true, "account_inactive": true, "token_revoked": true, "token_expired": true,
	"org_login_required": true, "missing_args": true,
}

// problem says what an error of Slack's means.
func problem(name, needed string) *platform.Problem {
	switch name {
	case "ratelimited", "rate_limited", "accesslimited":
		return &platform.Problem{Outcome: platform.Limited, Reason: "Slack asks to wait", RetryAfter: 30 * time.Second}
	case "internal_error", "fatal_error", "service_unavailable", "request_timeout", "team_added_to_org":
		// It may have been done before something broke.
		return &platform.Problem{Outcome: platform.Unknown, Reason: "Slack has a problem at the moment"}
	case "missing_scope":
		return platform.Refuse("the app lacks the scope %s: add it on its page, OAuth & Permissions, and install the app again", short(needed))
	}
	if auth[name] {
		return platform.Refuse("%s", wrongToken)
	}
	if reason, ok := reasons[name]; ok {
		return platform.Refuse("%s", reason)
	}
	return platform.Refuse("Slack refused: %s", strings.ReplaceAll(short(name), "_", " "))
}
