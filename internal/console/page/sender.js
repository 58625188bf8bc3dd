// Messages on their way to the server: one after the other, each until it has arrived
// or was refused, across lost connections and a reload of the page.

import { Refusal, newKey, write } from './api.js';
import { make } from './morph.js';

const waits = [300, 700, 1500]; // milliseconds between tries
const stored = 'aside.pending';

export class Sender {
  /** on.room() is the room that is shown. */
  constructor(on) {
    this.on = on;
    this.queue = load();
    this.running = false;
  }

  /** Sends a text to the room that is shown. */
  send(text) {
    const letter = { key: newKey(), room: this.on.room().name, text, state: 'new' };
    this.queue.push(letter);
    save(this.queue);
    this.show(letter);
    this.run();
  }

  /** Shows what is on its way to a room that was just opened. */
  resume() {
    for (const letter of this.queue) this.show(letter);
    this.run();
  }

  show(letter) {
    const room = this.on.room();
    if (letter.room !== room.name) return;
    letter.entry = room.expect(letter.text, 'you');
    letter.shownIn = room;
    this.tell(letter);
  }

  tell(letter) {
    const entry = letter.entry;
    if (!entry) return;
    entry.sent = letter.state !== 'new';
    entry.element.classList.toggle('failed', letter.state === 'failed');
    if (letter.state !== 'failed') {
      entry.setNote('sending…');
      return;
    }
    const retry = make('button', 'quiet', 'Retry');
    retry.type = 'button';
    retry.onclick = () => {
      letter.state = 'new';
      this.tell(letter);
      this.run();
    };
    const discard = make('button', 'quiet', 'Discard');
    discard.type = 'button';
    discard.onclick = () => this.drop(letter);
    entry.setNote(`Not sent: ${letter.why} `, [retry, discard]);
  }

  /** The connection is back: tries again what could not be sent without it. */
  again() {
    for (const letter of this.queue) {
      if (letter.state !== 'failed' || !letter.passes) continue;
      letter.state = 'new';
      this.tell(letter);
    }
    this.run();
  }

  drop(letter) {
    this.queue = this.queue.filter((l) => l !== letter);
    save(this.queue);
    letter.shownIn?.forget(letter.entry);
  }

  async run() {
    if (this.running) return;
    this.running = true;
    for (;;) {
      const letter = this.queue.find((l) => l.state !== 'failed');
      if (!letter) break;
      await this.deliver(letter);
    }
    this.running = false;
  }

  /** Tries until it is known what came of it. The key makes it one message. */
  async deliver(letter) {
    for (let tries = 0; ; tries++) {
      letter.state = 'sent';
      this.tell(letter);
      try {
        const { id } = await write(letter.room, letter.text, letter.key);
        this.queue = this.queue.filter((l) => l !== letter);
        save(this.queue);
        letter.shownIn?.confirm(letter.entry, id);
        return;
      } catch (problem) {
        const passes = !(problem instanceof Refusal) || problem.passes;
        if (!passes || tries === waits.length) {
          letter.state = 'failed';
          letter.passes = passes;
          letter.why = problem instanceof Refusal ? problem.message : 'the server does not answer';
          this.tell(letter);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, waits[tries]));
      }
    }
  }
}

function load() {
  try {
    return JSON.parse(sessionStorage.getItem(stored) ?? '[]').map((letter) => ({ ...letter, state: 'new' }));
  } catch {
    return [];
  }
}

function save(queue) {
  sessionStorage.setItem(stored, JSON.stringify(queue.map(({ key, room, text }) => ({ key, room, text }))));
}
