// Messages on their way to the server: one after the other, each until it has arrived
// or was refused, across lost connections and a reload of the page. Files do not outlive
// a reload: whoever leaves while some are on their way is asked.

import { Refusal, newKey, upload, write } from './api.js';
import { make } from './morph.js';

const waits = [300, 700, 1500]; // milliseconds between tries
const stored = 'aside.pending';
const large = 512 * 1024; // bytes, from which it is worth showing how far they are

export class Sender {
  /** on.room() is the room that is shown. */
  constructor(on) {
    this.on = on;
    this.queue = load();
    this.running = false;
    addEventListener('beforeunload', (e) => {
      if (this.queue.some((letter) => letter.files.length > 0)) e.preventDefault();
    });
  }

  /** Sends a text and files of a user to the room that is shown. */
  send(text, files, user) {
    const letter = { key: newKey(), room: this.on.room().name, text, files, user, state: 'new' };
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
    letter.entry = room.expect(letter.text, letter.user || 'you', letter.files);
    letter.shownIn = room;
    this.tell(letter);
  }

  tell(letter) {
    const entry = letter.entry;
    if (!entry) return;
    entry.sent = letter.state !== 'new';
    entry.element.classList.toggle('failed', letter.state === 'failed');
    if (letter.state !== 'failed') {
      entry.setNote('sending…', letter.way?.shown ?? []);
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
    entry.setNote(`Not sent: ${letter.why} `, [retry, discard], true);
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

  hand(letter) {
    const { room, text, user, files, key } = letter;
    if (files.length === 0) return write(room, text, user, key);
    letter.way ??= new Way(files);
    this.tell(letter);
    return upload(room, text, user, files, key, (part) => letter.way?.show(part), letter.way.signal);
  }

  /** Tries until it is known what came of it. The key makes it one message. */
  async deliver(letter) {
    for (let tries = 0; ; tries++) {
      letter.state = 'sent';
      this.tell(letter);
      try {
        const { id } = await this.hand(letter);
        this.queue = this.queue.filter((l) => l !== letter);
        save(this.queue);
        letter.shownIn?.confirm(letter.entry, id);
        return;
      } catch (problem) {
        if (letter.way?.signal.aborted) break;
        const gone = problem instanceof Refusal ? '' : await unreadable(letter.files);
        const passes = gone === '' && (!(problem instanceof Refusal) || problem.passes);
        if (!passes || tries === waits.length) {
          letter.state = 'failed';
          letter.passes = passes;
          letter.why = gone !== '' ? `${gone} cannot be read any more. Discard it and attach the file again.` : problem instanceof Refusal ? problem.message : 'the server does not answer';
          letter.way = null;
          this.tell(letter);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, waits[tries]));
        if (letter.way?.signal.aborted) break;
      }
    }
    this.drop(letter);
  }
}

/** How far a letter with files is, and a way to give it up. */
class Way {
  constructor(files) {
    const control = new AbortController();
    this.signal = control.signal;
    this.bar = make('progress');
    this.bar.max = 1;
    this.bar.value = 0;
    this.bar.setAttribute('aria-label', 'Sent so far');
    this.part = make('span', 'part');
    const cancel = make('button', 'quiet', 'Cancel');
    cancel.type = 'button';
    cancel.onclick = () => control.abort();
    const bytes = files.reduce((sum, f) => sum + f.size, 0);
    this.shown = bytes < large ? [] : [this.bar, this.part, cancel];
  }

  show(part) {
    this.bar.value = part;
    this.part.textContent = `${Math.floor(part * 100)} %`;
  }
}

/** The name of a file that was moved, changed or deleted since it was chosen, or "". */
async function unreadable(files) {
  for (const file of files) {
    try {
      await file.slice(0, 1).arrayBuffer();
    } catch {
      return file.name;
    }
  }
  return '';
}

function load() {
  try {
    return JSON.parse(sessionStorage.getItem(stored) ?? '[]').map((letter) => ({ ...letter, files: [], state: 'new' }));
  } catch {
    return [];
  }
}

function save(queue) {
  const whole = queue.filter((letter) => letter.files.length === 0);
  sessionStorage.setItem(stored, JSON.stringify(whole.map(({ key, room, text, user }) => ({ key, room, text, user }))));
}
