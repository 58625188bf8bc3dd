// One message on the page.

import { Asking } from './asking.js';
import { Attachment } from './attachment.js';
import { markOf } from './mark.js';
import { make, setHTML } from './morph.js';
import { outcomeLine, repeats } from './outcome.js';
import { bare, day, fullTime, sameDay, short, time } from './words.js';

const together = 5 * 60 * 1000; // milliseconds within which messages are one group

export class Entry {
  /** data is an entry of the API. */
  constructor(data, on) {
    this.on = on;
    this.outcomes = [];
    this.attachments = [];
    this.element = make('li', `entry ${data.kind === 'agent' ? 'agent' : 'person'}`);
    this.day = make('p', 'day');
    this.article = make('article');
    this.head = make('header', 'head');
    this.time = make('time');
    this.answering = make('button', 'answering');
    this.answering.type = 'button';
    this.answering.hidden = true;
    this.body = make('div', 'body');
    this.files = make('ul', 'files');
    this.files.setAttribute('aria-label', 'Files');
    this.chips = make('div', 'chips');
    this.lines = make('div', 'outcomes');
    this.asking = new Asking({ answer: (text) => this.on.answer(text) });
    this.note = make('p', 'note');
    this.details = make('button', 'quiet details', 'Details');
    this.details.type = 'button';
    this.details.hidden = true;
    this.details.onclick = () => this.on.details(this);
    this.head.append(make('span', 'author', data.author), this.time);
    const foot = make('footer', 'entry-foot');
    foot.append(this.note, this.details);
    this.article.append(this.head, this.answering, this.body, this.files, this.chips, this.lines, this.asking.element, foot);
    this.element.append(this.day, this.article);
    this.update(data);
  }

  get id() {
    return this.data.id;
  }

  get fromAgent() {
    return this.data.kind === 'agent';
  }

  /** Shows another state of the same message. */
  update(data) {
    this.data = data;
    this.at = new Date(data.at);
    this.element.dataset.id = data.id;
    this.time.dateTime = data.at;
    this.time.textContent = time(this.at);
    this.time.title = fullTime(this.at);
    this.article.setAttribute('aria-label', `${data.author}, ${time(this.at)}`);
    if (this.fromAgent && data.html !== undefined) setHTML(this.body, data.html);
    else if (this.body.textContent !== data.text) this.body.textContent = data.text;
    this.showFiles();
    this.showChips();
    this.fold();
  }

  /** Shows the files. Those that were shown while they were on their way stay as they are. */
  showFiles() {
    const files = this.data.files ?? [];
    if (this.attachments.length === files.length && files.every((f, i) => this.attachments[i].shows(f))) {
      files.forEach((f, i) => this.attachments[i].arrive(f));
      return;
    }
    this.attachments = files.map((f) => new Attachment(f));
    this.files.replaceChildren(...this.attachments.map((a) => a.element));
  }

  /** What the message says, on one line, its files included. */
  get words() {
    return [bare(this.data.text), ...this.attachments.map((a) => a.file.name)].filter((w) => w !== '').join(', ');
  }

  showChips() {
    const mark = markOf(this.data.mark);
    const wanted = [...(mark ? [['mark', mark.glyph, mark.text]] : []), ...this.data.reactions.map((r) => ['reaction', r, `Reaction ${r}`])];
    const key = JSON.stringify(wanted);
    if (key === this.chipKey) return;
    this.chipKey = key;
    this.chips.replaceChildren(
      ...wanted.map(([kind, emoji, text]) => {
        const chip = make('span', `chip ${kind}`, emoji);
        chip.setAttribute('role', 'img');
        chip.setAttribute('aria-label', text);
        if (kind === 'mark') chip.title = text;
        return chip;
      }),
    );
  }

  /** Shows what actions came to. */
  setOutcomes(outcomes) {
    if (JSON.stringify(outcomes) === JSON.stringify(this.outcomes)) return;
    this.outcomes = outcomes;
    const open = [...this.lines.children].map((line) => line.open);
    const lines = outcomes.map(outcomeLine);
    lines.forEach((line, i) => {
      if (i in open) line.open = open[i];
    });
    this.lines.replaceChildren(...lines);
    this.fold();
  }

  /** Hides the paragraph of the text that only says what the outcomes' lines say. */
  fold() {
    const last = this.body.lastElementChild;
    const hide = this.fromAgent && last?.nodeName === 'P' && repeats(this.data.text, this.outcomes);
    for (const child of this.body.children) child.classList.toggle('folded', hide && child === last);
  }

  /** Shows where the message stands among the others. */
  place(before, answered, now) {
    const newDay = !before || !sameDay(before.at, this.at);
    this.day.hidden = !newDay;
    this.day.textContent = newDay ? day(this.at, now) : '';
    const grouped = !newDay && before.data.author === this.data.author && before.data.kind === this.data.kind && this.at - before.at < together;
    this.element.classList.toggle('grouped', grouped);
    this.answering.hidden = !answered;
    if (answered) {
      this.answering.textContent = `↩ ${answered.fromAgent ? answered.data.author : 'to'}: ${short(answered.words, 60)}`;
      this.answering.onclick = () => answered.reveal();
    }
  }

  reveal() {
    this.element.scrollIntoView({ block: 'center' });
    this.element.classList.remove('revealed');
    void this.element.offsetWidth; // or the animation does not start again
    this.element.classList.add('revealed');
  }

  setWorking(working) {
    this.element.classList.toggle('working', working);
  }

  /** A quiet word below the message, with what can be done about it. */
  setNote(text, more = [], bad = false) {
    if (more.length === 0 && this.note.textContent === text) return;
    this.note.replaceChildren(text, ...more);
    this.note.classList.toggle('bad', bad);
  }
}
