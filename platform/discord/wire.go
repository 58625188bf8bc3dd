package discord

import (
	"strconv"
	"strings"
	"time"

	"github.com/disgoorg/snowflake/v2"

	"github.com/asidehq/aside/platform"
)

// What Discord sends, as far as it is read. Fields that are not here may be of any kind
// without doing harm.

type user struct {
	ID         snowflake.ID `json:"id"`
	Username   string       `json:"username"`
	GlobalName string       `json:"global_name"`
	Bot        bool         `json:"bot"`
	System     bool         `json:"system"`
}

type member struct {
	User   user           `json:"user"`
	Nick   string         `json:"nick"`
	Roles  []snowflake.ID `json:"roles"`
	Joined time.Time      `json:"joined_at"`
	Silent *time.Time     `json:"communication_disabled_until"`
}

// person is somebody as they are called where they write. m may be nil.
func person(u user, m *member) platform.Person {
	p := platform.Person{ID: u.ID.String(), Name: u.Username, Bot: u.Bot || u.System}
	if u.GlobalName != "" {
		p.Name = u.GlobalName
	}
	if m != nil && m.Nick != "" {
		p.Name = m.Nick
	}
	return p
}

// rights are permission bits. On the wire they are a number in quotes.
type rights uint64

// UnmarshalJSON implements json.Unmarshaler.
func (r *rights) UnmarshalJSON(data []byte) error {
	n, err := strconv.ParseUint(strings.Trim(string(data), `"`), 10, 64)
	*r = rights(n)
	return err
}

type role struct {
	ID       snowflake.ID `json:"id"`
	Name     string       `json:"name"`
	Rights   rights       `json:"permissions"`
	Position int          `json:"position"`
	Managed  bool         `json:"managed"`
	Tags     struct {
		Bot snowflake.ID `json:"bot_id"`
	} `json:"tags"`
}

type overwrite struct {
	ID    snowflake.ID `json:"id"`
	Type  int          `json:"type"` // 0 for a role, 1 for a member
	Allow rights       `json:"allow"`
	Deny  rights       `json:"deny"`
}

type tag struct {
	ID        snowflake.ID  `json:"id,omitempty"`
	Name      string        `json:"name"`
	Moderated bool          `json:"moderated"`
	EmojiID   *snowflake.ID `json:"emoji_id"`
	EmojiName *string       `json:"emoji_name"`
}

// Kinds of channels.
const (
	textChannel         = 0
	directChannel       = 1
	voiceChannel        = 2
	groupChannel        = 3
	categoryChannel     = 4
	announcementChannel = 5
	announcementThread  = 10
	publicThread        = 11
	privateThread       = 12
	stageChannel        = 13
	forumChannel        = 15
	mediaChannel        = 16
)

type channel struct {
	ID         snowflake.ID   `json:"id"`
	Type       int            `json:"type"`
	Guild      snowflake.ID   `json:"guild_id"`
	Name       string         `json:"name"`
	Topic      string         `json:"topic"`
	Position   int            `json:"position"`
	Parent     snowflake.ID   `json:"parent_id"`
	Owner      snowflake.ID   `json:"owner_id"`
	Last       snowflake.ID   `json:"last_message_id"`
	Overwrites []overwrite    `json:"permission_overwrites"`
	Recipients []user         `json:"recipients"`
	Applied    []snowflake.ID `json:"applied_tags"`
	Tags       []tag          `json:"available_tags"`
	Thread     struct {
		Archived    bool      `json:"archived"`
		ArchivedAt  time.Time `json:"archive_timestamp"`     // or opened
		AutoArchive int       `json:"auto_archive_duration"` // minutes
	} `json:"thread_metadata"`
}

func (c *channel) isThread() bool { return c.Type >= announcementThread && c.Type <= privateThread }

func (c *channel) isDirect() bool { return c.Type == directChannel }

type emoji struct {
	ID   snowflake.ID `json:"id"`
	Name string       `json:"name"`
}

func (e emoji) String() string {
	if e.ID != 0 {
		return e.Name + ":" + e.ID.String()
	}
	return e.Name
}

type attachment struct {
	ID   snowflake.ID `json:"id"`
	Name string       `json:"filename"`
	Type string       `json:"content_type"`
	Size int64        `json:"size"`
	URL  string       `json:"url"`
}

// Types of messages that people write.
const (
	plainMessage = 0
	replyMessage = 19
)

type message struct {
	ID        snowflake.ID   `json:"id"`
	Channel   snowflake.ID   `json:"channel_id"`
	Guild     snowflake.ID   `json:"guild_id"`
	Author    user           `json:"author"`
	Member    *member        `json:"member"`
	Content   string         `json:"content"`
	At        time.Time      `json:"timestamp"`
	Edited    *time.Time     `json:"edited_timestamp"`
	Type      int            `json:"type"`
	Webhook   snowflake.ID   `json:"webhook_id"`
	Nonce     any            `json:"nonce"` // text or a number
	Mentions  []user         `json:"mentions"`
	Roles     []snowflake.ID `json:"mention_roles"`
	Reference *struct {
		Message snowflake.ID `json:"message_id"`
		Type    int          `json:"type"`
	} `json:"message_reference"`
	Referenced  *message     `json:"referenced_message"`
	Attachments []attachment `json:"attachments"`
	Snapshots   []struct {
		Message struct {
			Content string `json:"content"`
		} `json:"message"`
	} `json:"message_snapshots"`
}
