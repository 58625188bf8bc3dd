// The events of a room, however often the connection is lost.

import { eventsOf, listRooms } from './api.js';

const kinds = ['post', 'edit', 'delete', 'react', 'mark', 'settled', 'typing'];
const again = 1000; // milliseconds

export class Stream {
  /**
   * on.event(kind, data) gets every event behind a number, once and in order. on.up()
   * is called when there is a connection, on.down() when it is lost.
   */
  constructor(room, after, on) {
    this.room = room;
    this.on = on;
    this.last = after; // the number of the last event
    this.ended = false;
    this.open();
  }

  open() {
    const source = new EventSource(eventsOf(this.room, this.last));
    this.source = source;
    source.onopen = () => this.on.up();
    for (const kind of kinds) {
      source.addEventListener(kind, (e) => {
        if (e.lastEventId !== '') this.last = e.lastEventId;
        this.on.event(kind, JSON.parse(e.data));
      });
    }
    source.onerror = () => {
      if (this.ended) return;
      this.on.down();
      // A browser gives up where the server answered, and did not say 200: it is
      // starting, stopping, or wants the token.
      if (source.readyState === EventSource.CLOSED) {
        this.timer = setTimeout(() => this.reopen(), again);
      }
    };
  }

  async reopen() {
    try {
      await listRooms();
    } catch (problem) {
      if (problem.status === 401) return; // logging in loads the page anew
    }
    if (!this.ended) this.open();
  }

  close() {
    this.ended = true;
    clearTimeout(this.timer);
    this.source.close();
  }
}
