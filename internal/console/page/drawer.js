// The details of a turn, at the side.

import { turnsOf } from './api.js';
import { make } from './morph.js';
import { fact, outcomeLine } from './outcome.js';
import { capital, duration, fullTime } from './words.js';

const kinds = { action: 'instruction', control: 'control', reasoning: 'reasoning', problem: 'problem', markup: 'notation' };

export class Drawer {
  constructor() {
    this.dialog = document.getElementById('drawer');
    this.body = document.getElementById('drawer-body');
    this.title = document.getElementById('drawer-title');
    document.getElementById('drawer-close').addEventListener('click', () => this.dialog.close());
    this.dialog.addEventListener('click', (e) => {
      if (e.target === this.dialog) this.dialog.close(); // beside it
    });
  }

  /** Opens the details of the turns that a message has started. */
  async open(message) {
    this.title.textContent = 'Details';
    this.body.replaceChildren(make('p', 'hint', 'Looking…'));
    this.dialog.showModal();
    try {
      const { turns } = await turnsOf(message);
      if (turns.length === 1) this.title.textContent = `Turn ${turns[0].id}`;
      this.body.replaceChildren(...turns.flatMap((t) => sections(t, turns.length > 1)));
    } catch (problem) {
      this.body.replaceChildren(make('p', 'problem', `It could not be looked up: ${problem.message}.`));
    }
  }
}

function sections(turn, several) {
  const all = [];
  const section = (title, ...content) => {
    const s = make('section');
    s.append(make('h3', '', title), ...content);
    all.push(s);
  };
  if (several) all.push(make('h3', 'turn', `Turn ${turn.id}`));
  const state = make('p', 'state');
  state.append(make('span', `badge is-${turn.state}`, turn.state), ` started by a ${turn.flow}`);
  all.push(state);
  if (turn.unanswered) all.push(make('p', 'hint', turn.unanswered));
  if (turn.silent) all.push(make('p', 'hint', 'The agent only listens there: what it says is shown to nobody.'));
  if (turn.failure) all.push(make('p', 'problem', turn.failure));
  if (turn.reply !== '') section('What the model wrote', reply(turn.segments), legend(turn.segments));
  section('What was shown', turn.shown === '' ? make('p', 'hint', 'Nothing.') : make('div', 'shown', turn.shown));
  if (turn.actions.length > 0) {
    const lines = make('div', 'outcomes');
    for (const action of turn.actions) {
      const line = outcomeLine(action);
      line.open = true;
      lines.append(line);
    }
    section('Actions', lines);
  }
  if (turn.problems.length > 0) {
    section('Problems', ...turn.problems.map((p) => {
      const box = make('div', 'problem-box');
      box.append(make('p', '', capital(p.explanation || p.kind)), make('code', 'json', p.raw));
      return box;
    }));
  }
  if (turn.receipts.length > 0) section('Receipts', receipts(turn.receipts));
  section('Times', times(turn));
  return all;
}

/** The reply as it was written, with what was taken out of it marked. */
function reply(segments) {
  const box = make('div', 'reply');
  for (const { kind, text } of segments) {
    if (!(kind in kinds)) {
      box.append(text);
      continue;
    }
    const mark = make('mark', `is-${kind}`, text);
    mark.title = kinds[kind];
    box.append(mark);
  }
  return box;
}

function legend(segments) {
  const used = Object.keys(kinds).filter((k) => segments.some((s) => s.kind === k));
  const box = make('p', 'legend');
  for (const kind of used) box.append(make('mark', `is-${kind}`, kinds[kind]), ' ');
  box.hidden = used.length === 0;
  return box;
}

function receipts(all) {
  const list = make('ul', 'receipts');
  for (const r of all) {
    const item = make('li');
    const tries = r.tries > 1 ? ` after ${r.tries} tries` : '';
    item.append(make('span', `badge is-${r.state}`, r.state), ` to ${r.room}${tries}`, make('code', 'key', r.key));
    if (r.reason) item.append(make('p', 'problem', r.reason));
    list.append(item);
  }
  return list;
}

function times(turn) {
  const list = make('dl', 'facts');
  fact(list, 'Asked', fullTime(new Date(turn.created)));
  fact(list, 'Last change', `${duration(new Date(turn.updated) - new Date(turn.created))} later`);
  for (const [name, ms] of Object.entries(turn.timings ?? {})) fact(list, capital(name.replace(/_ms$/, '').replaceAll('_', ' ')), duration(ms));
  return list;
}
