// A room: its messages, and what happens to them.

import { Refusal, readBefore, turnsOf } from './api.js';
import { answersAsked, asks } from './asking.js';
import { Entry } from './entry.js';
import { myName } from './me.js';
import { Stream } from './stream.js';

const pageSize = 60;
const again = 1000; // milliseconds

/** Whether two messages say the same. Of a file the server cleans the name. */
const alike = (a, b) => a.text === b.text && a.files.length === b.files.length && a.files.every((f, i) => f.size === b.files[i].size);

export class Room {
  /**
   * on.working(bool), on.up(), on.down(), on.typing(), on.wrote(), on.answered(entries), on.settled(),
   * on.loaded(count), on.failed(error), on.grew(), on.details(message), on.answer(text).
   */
  constructor(name, list, on) {
    this.name = name;
    this.list = list;
    this.on = on;
    this.entries = new Map(); // by id, in the order of the room
    this.unsettled = new Set(); // messages that something still follows from
    this.outcomes = new Map(); // by message
    this.pending = []; // entries on their way to the server
    this.more = false; // there are earlier messages
    this.closed = false;
    this.stream = null;
    this.list.replaceChildren();
    this.read();
  }

  close() {
    this.closed = true;
    this.stream?.close();
  }

  /** Reads the end of the room and follows it from there. */
  async read() {
    let page;
    try {
      page = await readBefore(this.name, '', pageSize);
    } catch (problem) {
      if (this.closed) return;
      this.on.failed(problem);
      if (problem.status !== 401) setTimeout(() => this.closed || this.read(), again);
      return;
    }
    if (this.closed) return;
    this.more = page.messages.length === pageSize;
    for (const data of page.messages) {
      this.learn(data);
      this.append(this.newEntry(data));
    }
    this.arrange();
    this.on.loaded(this.entries.size);
    let first = true;
    this.stream = new Stream(this.name, page.event, {
      event: (kind, data) => this.take(kind, data),
      up: () => {
        this.on.up();
        if (!first) this.checkSettled();
        first = false;
      },
      down: () => this.on.down(),
    });
  }

  /** Reads what is before the first message. */
  async readEarlier() {
    const first = this.entries.keys().next().value;
    const { messages } = await readBefore(this.name, first, pageSize);
    if (this.closed) return;
    this.more = messages.length === pageSize;
    const old = this.entries;
    this.entries = new Map();
    const top = this.list.firstChild;
    for (const data of messages) {
      if (old.has(data.id)) continue;
      this.learn(data);
      const entry = this.newEntry(data);
      this.entries.set(data.id, entry);
      this.list.insertBefore(entry.element, top);
    }
    for (const [id, entry] of old) this.entries.set(id, entry);
    this.arrange();
  }

  /** Keeps what only a message that was read says. */
  learn(data) {
    if (data.kind !== 'person') return;
    this.outcomes.set(data.id, data.outcomes);
    if (data.settled === false) this.unsettled.add(data.id);
    else this.unsettled.delete(data.id);
  }

  newEntry(data) {
    return new Entry(data, { details: (entry) => this.on.details(this.messageOf(entry)), answer: (text) => this.on.answer(text) });
  }

  append(entry) {
    this.entries.set(entry.id, entry);
    const before = this.pending[0]?.element ?? null;
    if (entry.element.parentNode === this.list && entry.element.nextSibling === before) return; // moving it would blink
    this.list.insertBefore(entry.element, before);
  }

  /**
   * Finds the entry that was shown while the message was on its way. Its event can be
   * here before the answer that tells its id.
   */
  adopt(data) {
    if (data.kind !== 'person') return null;
    const i = this.pending.findIndex((p) => p.id === data.id || (p.id === '' && p.sent && alike(p.data, data)));
    if (i < 0) return null;
    const [entry] = this.pending.splice(i, 1);
    entry.element.classList.remove('pending');
    entry.setNote('');
    entry.update(data);
    return entry;
  }

  /** Shows a message that is on its way to the server. */
  expect(text, author, local) {
    const files = local.map((file) => ({ id: '', name: file.name, type: file.type, size: file.size, local: file }));
    const entry = this.newEntry({ id: '', author, kind: 'person', text, files, reactions: [], mark: '', reply_to: '', at: new Date().toISOString() });
    entry.element.classList.add('pending');
    this.pending.push(entry);
    this.list.append(entry.element);
    this.arrange();
    this.on.grew();
    return entry;
  }

  /** The message has got an id. Usually its event is here already. */
  confirm(entry, id) {
    const i = this.pending.indexOf(entry);
    if (i < 0) return;
    if (this.entries.has(id)) {
      this.forget(entry);
      return;
    }
    entry.data.id = id;
    entry.setNote('');
    entry.element.classList.remove('pending');
  }

  forget(entry) {
    this.pending = this.pending.filter((p) => p !== entry);
    entry.element.remove();
    this.arrange();
  }

  take(kind, data) {
    const entry = this.entries.get(data.id);
    switch (kind) {
      case 'post':
        if (entry) {
          entry.update(data);
          break;
        }
        this.append(this.adopt(data) ?? this.newEntry(data));
        if (data.kind === 'person') this.unsettled.add(data.id);
        else this.on.wrote();
        this.arrange();
        break;
      case 'edit':
      case 'react':
      case 'mark':
        entry?.update(data);
        break;
      case 'delete':
        entry?.element.remove();
        this.entries.delete(data.id);
        this.arrange();
        break;
      case 'settled':
        this.settle(data.message);
        break;
      case 'typing':
        this.on.typing();
        return;
    }
    this.on.grew();
  }

  /** A turn is over: what its actions came to is known. */
  async settle(message) {
    this.unsettled.delete(message);
    this.arrange();
    const answers = [...this.entries.values()].filter((e) => e.fromAgent && e.data.reply_to === message);
    if (answers.length > 0) this.on.answered(answers);
    this.on.settled();
    try {
      const { turns } = await turnsOf(message);
      if (this.closed) return;
      this.outcomes.set(message, turns.flatMap((t) => t.actions));
      await this.readAsked(message);
      this.arrange();
      this.on.grew();
    } catch (problem) {
      if (problem instanceof Refusal) return; // the turn is not kept
      this.unchecked = true; // it is asked for again when the connection is back
    }
  }

  /** What waited to be confirmed may have been, by the message that was settled. */
  async readAsked(settled) {
    for (const [message, outcomes] of this.outcomes) {
      if (message === settled || asks(outcomes) === 0) continue;
      const { turns } = await turnsOf(message);
      this.outcomes.set(message, turns.flatMap((t) => t.actions));
    }
  }

  /**
   * Asks about messages that something should still follow from. The process may have
   * died after the last stage and before it could say so.
   */
  async checkSettled() {
    for (const message of this.unchecked ? [...this.entries.keys()] : [...this.unsettled]) {
      if (this.entries.get(message)?.fromAgent) continue;
      try {
        const { turns } = await turnsOf(message);
        this.outcomes.set(message, turns.flatMap((t) => t.actions));
        if (turns.every((t) => t.state === 'settled')) this.unsettled.delete(message);
      } catch (problem) {
        if (!(problem instanceof Refusal)) return; // gone again
      }
    }
    this.unchecked = false;
    this.arrange();
  }

  /** The person's message that an entry follows from. Only the first part says so. */
  messageOf(entry) {
    if (!entry.fromAgent) return entry.id;
    let message = '';
    for (const e of this.entries.values()) {
      if (e.fromAgent && e.data.reply_to) message = e.data.reply_to;
      if (e === entry) break;
    }
    return message;
  }

  /** Brings everything that depends on other messages up to date. */
  arrange() {
    if (this.closed) return; // the page shows another room
    const now = new Date();
    const answers = new Map(); // the first entry that answers a message
    let before = null;
    let person = null;
    let message = '';
    for (const entry of [...this.entries.values(), ...this.pending]) {
      const to = this.entries.get(entry.data.reply_to);
      const expected = entry.fromAgent ? person : before;
      entry.place(before, to && to !== expected ? to : null, now);
      if (entry.fromAgent) {
        message = entry.data.reply_to || message;
        if (!answers.has(message)) answers.set(message, entry);
        entry.setWorking(this.unsettled.has(message));
        entry.details.hidden = message === '';
      } else {
        person = entry;
      }
      before = entry;
    }
    const asked = this.asked();
    for (const entry of this.entries.values()) {
      if (entry.fromAgent) continue;
      const outcomes = this.outcomes.get(entry.id) ?? [];
      const answer = answers.get(entry.id);
      const silent = !answer && !this.unsettled.has(entry.id);
      (answer ?? entry).setOutcomes(outcomes);
      if (answer) entry.setOutcomes([]);
      (answer ?? entry).asking.show(entry === asked.last ? asked.count : 0, asked.busy);
      if (answer) entry.asking.show(0, false);
      entry.details.hidden = !silent;
      entry.setNote(silent ? 'No reply' : '');
    }
    this.on.working(this.unsettled.size > 0);
  }

  /**
   * What waits for the person at this page: how many actions, the last message that they
   * follow from, and whether an answer is on its way. What somebody else has asked for waits
   * for somebody else.
   */
  asked() {
    const me = myName() || 'you';
    let count = 0;
    let last = null;
    for (const entry of this.entries.values()) {
      const n = entry.fromAgent || entry.data.author !== me ? 0 : asks(this.outcomes.get(entry.id) ?? []);
      count += n;
      if (n > 0) last = entry;
    }
    const open = [...this.entries.values()].filter((e) => this.unsettled.has(e.id));
    return { count, last, busy: [...open, ...this.pending].some((e) => answersAsked(e.data.text.trim())) };
  }

  /** The texts that were written here by a person, the newest last. */
  written() {
    return [...this.entries.values(), ...this.pending].filter((e) => !e.fromAgent && e.data.text !== '').map((e) => e.data.text);
  }
}
