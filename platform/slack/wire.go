package slack

// What Slack sends, as far as it is read. Fields that are not here may be of any kind
// without doing harm.

// An event is a message, or something that has happened to one. A message of a history is
// the same.
type event struct {
	Type        string `json:"type"`
	Subtype     string `json:"subtype"`
	Channel     string `json:"-"` // an id or, in events about channels, an object: see UnmarshalJSON
	ChannelType string `json:"channel_type"`
	User        string `json:"user"`
	BotID       string `json:"bot_id"`
	Username    string `json:"username"`
	Text        string `json:"text"`
	TS          string `json:"ts"`
	ThreadTS    string `json:"thread_ts"`
	ParentUser  string `json:"parent_user_id"`
	EventTS     string `json:"event_ts"`
	Files       []file `json:"files"`
	Replies     int    `json:"reply_count"`
	LatestReply string `json:"latest_reply"`
	Edited      *struct {
		TS string `json:"ts"`
	} `json:"edited"`
	Attachments []struct {
		Text     string `json:"text"`
		Fallback string `json:"fallback"`
		Shared   bool   `json:"is_share"`
	} `json:"attachments"`
	Metadata metadata `json:"metadata"`

	// Of message_changed.
	Message  *event `json:"message"`
	Previous *event `json:"previous_message"`

	// Of reactions.
	Reaction string `json:"reaction"`
	ItemUser string `json:"item_user"`
	Item     struct {
		Type    string `json:"type"`
		Channel string `json:"channel"`
		TS      string `json:"ts"`
	} `json:"item"`
}

// UnmarshalJSON implements json.Unmarshaler: a field of another kind is left out.
func (e *event) UnmarshalJSON(data []byte) error {
	type plain event
	if err := decode(data, (*plain)(e)); err != nil {
		return err
	}
	var in struct {
		Channel string `json:"channel"`
	}
	if err := decode(data, &in); err != nil {
		return err
	}
	e.Channel = in.Channel
	return nil
}

type file struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	Type     string `json:"mimetype"`
	Size     int64  `json:"size"`
	Private  string `json:"url_private"`
	Download string `json:"url_private_download"`
}

type user struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	RealName string `json:"real_name"`
	Deleted  bool   `json:"deleted"`
	IsBot    bool   `json:"is_bot"`
	IsAdmin  bool   `json:"is_admin"`
	IsOwner  bool   `json:"is_owner"`
	// Guests, who see a channel or some.
	Restricted bool `json:"is_restricted"`
	Profile    struct {
		Display  string `json:"display_name"`
		RealName string `json:"real_name"`
	} `json:"profile"`
}

type channel struct {
	ID       string `json:"id"`
	Name     string `json:"name"`
	IsDirect bool   `json:"is_im"`
	IsGroup  bool   `json:"is_mpim"`
	Private  bool   `json:"is_private"`
	Archived bool   `json:"is_archived"`
	Member   bool   `json:"is_member"`
	Creator  string `json:"creator"`
	User     string `json:"user"` // whom a direct chat is with
	Topic    struct {
		Value string `json:"value"`
	} `json:"topic"`
}
