package web

import (
	"net/http"
	"time"
)

// mostRooms is how many rooms an answer lists.
const mostRooms = 200

// A Room is one in a list of rooms.
type Room struct {
	Room  string    `json:"room"`
	Count int       `json:"count"` // of its entries
	Last  RoomEntry `json:"last"`
}

// A RoomEntry is the newest entry of a room, as much of it as a list shows.
type RoomEntry struct {
	ID     string    `json:"id"`
	Author string    `json:"author"`
	Kind   string    `json:"kind"`
	Text   string    `json:"text"` // the beginning of it
	At     time.Time `json:"at"`
}

func (w *Web) getRooms(rw http.ResponseWriter, r *http.Request) {
	rooms, err := w.log.Rooms(r.Context(), mostRooms)
	if err != nil {
		w.broken(rw, "the rooms could not be read", err)
		return
	}
	if rooms == nil {
		rooms = []Room{}
	}
	w.answer(rw, http.StatusOK, map[string]any{"rooms": rooms})
}
