package telegram

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/asidehq/aside/platform"
)

// A member is somebody in a group, and what Telegram says that they may.
type member struct {
	Status string `json:"status"`
	User   user   `json:"user"`
	Inside bool   `json:"is_member"` // somebody who is restricted
	Until  int64  `json:"until_date"`

	rights map[string]bool
}

const (
	creator       = "creator"
	administrator = "administrator"
	plainMember   = "member"
	restricted    = "restricted"
)

// in tells whether they are in the group.
func (m member) in() bool {
	switch m.Status {
	case creator, administrator, plainMember:
		return true
	case restricted:
		return m.Inside
	}
	return false
}

// member asks for somebody in a group.
func (t *Telegram) member(ctx context.Context, in place, who int64) (member, error) {
	var raw json.RawMessage
	if err := t.call(ctx, "getChatMember", params{"chat_id": in.chat, "user_id": who}, &raw); err != nil {
		return member{}, err
	}
	var m member
	if err := json.Unmarshal(raw, &m); err != nil {
		return member{}, platform.Refuse("Telegram's answer could not be read")
	}
	m.rights = flags(raw)
	return m, nil
}

// flags are the fields of an object that are true or false.
func flags(raw []byte) map[string]bool {
	var all map[string]any
	_ = json.Unmarshal(raw, &all)
	found := map[string]bool{}
	for name, value := range all {
		if yes, ok := value.(bool); ok {
			found[name] = yes
		}
	}
	return found
}

// common are rights of everybody in a group, unless its settings say otherwise.
var common = map[platform.Right]string{
	platform.ViewRoom:      "",
	platform.ReadHistory:   "",
	platform.SendMessages:  "can_send_messages",
	platform.SendInThreads: "can_send_messages",
	platform.AttachFiles:   "can_send_documents",
	platform.AddReactions:  "can_react_to_messages",
	platform.CreatePolls:   "can_send_polls",
	platform.PinMessages:   "can_pin_messages",
	platform.CreateThreads: "can_manage_topics",
}

// special are rights of administrators who have them.
var special = map[platform.Right]string{
	platform.PinMessages:    "can_pin_messages",
	platform.CreateThreads:  "can_manage_topics",
	platform.ManageThreads:  "can_manage_topics",
	platform.ManageMessages: "can_delete_messages",
	platform.TimeoutMembers: "can_restrict_members",
	platform.KickMembers:    "can_restrict_members",
	platform.BanMembers:     "can_restrict_members",
	platform.ManageRooms:    "can_change_info",
	platform.ManageRoles:    "can_promote_members",
	platform.ManageServer:   "can_promote_members",
}

// May implements platform.Warden.
func (t *Telegram) May(ctx context.Context, who string, right platform.Right, room platform.Room) (bool, error) {
	in, err := t.place(room)
	if err != nil {
		return false, err
	}
	id, err := strconv.ParseInt(who, 10, 64)
	if err != nil {
		return false, platform.Refuse("%q is not the id of a person on Telegram", short(who))
	}
	name, everyday := common[right]
	switch {
	case in.chat > 0: // a private chat is named after the person
		return in.chat == id && everyday, nil
	case id == in.chat: // an administrator who does not say who they are
		if _, admins := special[right]; admins {
			return false, platform.Refuse("you write as the group, so that nobody knows what you may do; write as yourself")
		}
		return everyday, nil
	case id < 0:
		return false, nil // a channel or another group
	}
	m, err := t.member(ctx, in, id)
	switch {
	case err != nil:
		return false, err
	case !m.in():
		return false, nil
	case m.Status == creator:
		_, admins := special[right]
		return everyday || admins, nil
	case m.Status == administrator && (m.rights[special[right]] || everyday && special[right] == ""):
		return true, nil
	case !everyday:
		return false, nil
	case m.Status == restricted:
		return allowed(m.rights, name), nil
	}
	var chat struct {
		Permissions json.RawMessage `json:"permissions"`
	}
	if err := t.call(ctx, "getChat", params{"chat_id": in.chat}, &chat); err != nil {
		return false, err
	}
	return allowed(flags(chat.Permissions), name), nil
}

// allowed tells whether a right is among those that are listed. Reactions are not listed by
// servers of an older kind, which let everybody react.
func allowed(rights map[string]bool, name string) bool {
	if name == "" {
		return true
	}
	yes, listed := rights[name]
	return yes || !listed && name == "can_react_to_messages"
}

// Outranks implements platform.Warden: the owner stands above administrators, and those
// above everybody else.
func (t *Telegram) Outranks(ctx context.Context, near platform.Room, who, other string) (bool, error) {
	in, err := t.place(near)
	if err != nil {
		return false, err
	}
	if in.chat > 0 {
		return false, nil
	}
	var ranks [2]int
	for i, one := range []string{who, other} {
		id, err := strconv.ParseInt(one, 10, 64)
		if err != nil || id <= 0 {
			return false, platform.Refuse("%q is not the id of a person on Telegram", short(one))
		}
		m, err := t.member(ctx, in, id)
		if err != nil {
			return false, err
		}
		ranks[i] = map[string]int{creator: 2, administrator: 1}[m.Status]
	}
	return ranks[0] > ranks[1], nil
}

// OutranksRole implements platform.Warden.
func (t *Telegram) OutranksRole(context.Context, platform.Room, string, string) (bool, error) {
	return false, platform.Refuse("Telegram has no roles")
}
