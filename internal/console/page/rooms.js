// The list of rooms.

import { listRooms } from './api.js';
import { make } from './morph.js';
import { bare, fullTime, short, when } from './words.js';

const every = 10000; // milliseconds between looks at other rooms
const seenKey = 'aside.seen';
const name = /^[A-Za-z0-9._-]{1,100}$/;

export const valid = (room) => name.test(room);

export class Rooms {
  /** on.open(room) */
  constructor(on) {
    this.on = on;
    this.list = document.getElementById('room-list');
    this.problem = document.getElementById('room-problem');
    this.input = document.getElementById('room-name');
    this.dot = document.getElementById('menu-dot');
    this.current = '';
    this.rooms = [];
    document.getElementById('new-room').addEventListener('submit', (e) => {
      e.preventDefault();
      this.create();
    });
    this.list.addEventListener('click', (e) => {
      const link = e.target.closest('a');
      if (!link || e.metaKey || e.ctrlKey || e.shiftKey || e.button !== 0) return;
      e.preventDefault();
      this.on.open(link.dataset.room);
    });
    setInterval(() => document.hidden || this.look(), every);
    document.addEventListener('visibilitychange', () => document.hidden || this.look());
  }

  create() {
    const room = this.input.value.trim().replace(/\s+/g, '-');
    if (!valid(room)) {
      this.problem.textContent = room === '' ? 'Give it a name.' : 'Use letters a to z, digits, - _ and . only.';
      this.input.focus();
      return;
    }
    this.problem.textContent = '';
    this.input.value = '';
    this.on.open(room);
  }

  enter(room) {
    this.current = room;
    this.show();
  }

  /** Reads the list again. Whoever is away misses nothing. */
  async look() {
    try {
      this.rooms = (await listRooms()).rooms;
    } catch {
      return; // the stream says that the server is gone
    }
    this.show();
  }

  show() {
    const rooms = this.rooms.slice();
    if (this.current !== '' && !rooms.some((r) => r.room === this.current)) rooms.unshift({ room: this.current });
    const seen = this.remember(rooms);
    const now = new Date();
    let waiting = false;
    const focused = document.activeElement?.dataset?.room;
    this.list.replaceChildren(
      ...rooms.map(({ room, last, count }) => {
        const unread = room !== this.current && last?.kind === 'agent' && seen[room] !== last.id;
        waiting ||= unread;
        const item = make('li');
        const link = make('a', unread ? 'room unread' : 'room');
        link.href = `/?room=${encodeURIComponent(room)}`;
        link.dataset.room = room;
        if (room === this.current) link.setAttribute('aria-current', 'page');
        link.append(make('span', 'room-name', room));
        if (last) {
          const time = make('time', 'room-time', when(new Date(last.at), now));
          time.dateTime = last.at;
          time.title = `${fullTime(new Date(last.at))}, ${count} ${count === 1 ? 'message' : 'messages'}`;
          link.append(time, make('span', 'room-last', short(bare(last.text), 80)));
        }
        if (unread) {
          const dot = make('span', 'dot');
          dot.append(make('span', 'hidden', 'unread'));
          link.append(dot);
        }
        item.append(link);
        return item;
      }),
    );
    if (focused !== undefined) this.list.querySelector(`a[data-room="${CSS.escape(focused)}"]`)?.focus();
    this.dot.hidden = !waiting;
  }

  /** What was seen of each room. A browser that is new here has seen everything. */
  remember(rooms) {
    let seen = null;
    try {
      seen = JSON.parse(localStorage.getItem(seenKey));
    } catch {
      // As if it were new here.
    }
    if (seen === null || typeof seen !== 'object') seen = Object.fromEntries(rooms.map((r) => [r.room, r.last?.id]));
    const here = rooms.find((r) => r.room === this.current);
    if (here?.last && !document.hidden) seen[here.room] = here.last.id;
    if (this.rooms.length > 0) localStorage.setItem(seenKey, JSON.stringify(seen));
    return seen;
  }
}
