// What actions came to: a quiet line each, which opens.

import { make } from './morph.js';
import { capital } from './words.js';

const signs = {
  done: ['✓', 'Done'],
  failed: ['✗', 'Failed'],
  refused: ['⊘', 'Refused'],
  unknown: ['?', 'Unknown'],
  asked: ['?', 'To be confirmed'],
  confirmed: ['✓', 'Confirmed'],
  planned: ['…', 'Waiting'],
  started: ['…', 'Running'],
};

/**
 * The line of an outcome. What a query found is shown without a click, and so is what a
 * person has to decide about.
 */
export function outcomeLine(outcome) {
  const [sign, word] = signs[outcome.outcome] ?? ['?', outcome.outcome];
  const line = make('details', `outcome is-${outcome.outcome in signs ? outcome.outcome : 'unknown'}`);
  const summary = make('summary');
  const mark = make('span', 'sign', sign);
  mark.setAttribute('aria-hidden', 'true');
  const said = outcome.summary || outcome.type;
  const text = outcome.outcome === 'done' || !outcome.summary ? capital(said) : `${word}: ${said}`;
  summary.append(mark, make('span', 'hidden', outcome.outcome === 'done' ? 'Done: ' : ''), make('span', 'said', text));
  line.append(summary, outcomeFacts(outcome));
  line.open = outcome.outcome === 'asked' || (outcome.data !== undefined && outcome.data !== null);
  return line;
}

/** The arguments and the result of an action. */
export function outcomeFacts(outcome) {
  const facts = make('dl', 'facts');
  fact(facts, 'Action', make('code', '', outcome.type));
  for (const [name, value] of Object.entries(outcome.args ?? {})) fact(facts, name, shown(value));
  if (outcome.data !== undefined && outcome.data !== null) fact(facts, 'Result', shown(outcome.data));
  return facts;
}

export function fact(list, name, value) {
  list.append(make('dt', '', name));
  const dd = make('dd');
  dd.append(value);
  list.append(dd);
}

/** A JSON value for people: a list of words is a list. */
function shown(value) {
  if (typeof value === 'string') return value === '' ? '(empty)' : value;
  if (Array.isArray(value) && value.every((v) => typeof v === 'string')) {
    if (value.length === 0) return '(nothing)';
    const list = make('ul', 'values');
    for (const v of value) list.append(make('li', '', v));
    return list;
  }
  return make('code', 'json', JSON.stringify(value, null, 1));
}

/**
 * Whether the last paragraph of a text only repeats outcomes. Elsewhere they have no
 * lines of their own, so the text says them.
 */
export function repeats(text, outcomes) {
  const last = text.slice(text.lastIndexOf('\n\n') + 1).trim();
  if (last === '' || outcomes.length === 0) return false;
  return last.split('\n').every((line) =>
    outcomes.some((o) => {
      if (line.startsWith(`Confirm: ${o.type} (`) || line.startsWith(`Confirm: ${o.type}?`)) return true; // there are buttons for it
      const said = ({ done: 'Done: ', refused: 'Refused: ', unknown: 'Unclear: ' }[o.outcome] ?? 'Failed: ') + o.summary;
      return o.summary !== '' && (line === said || (o.data !== undefined && line.startsWith(`${said} `)));
    }),
  );
}
