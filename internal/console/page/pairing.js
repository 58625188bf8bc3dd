// The page on which the operator lets people in. What people call themselves is text here
// and nothing else.

import { ask, whenLoggedOut } from './api.js';
import { make } from './morph.js';
import { fullTime } from './words.js';

const byId = (id) => document.getElementById(id);
const lookEvery = 5000; // milliseconds

let out = false; // logged out

whenLoggedOut(() => {
  out = true;
});

const change = {
  approve: (p) => ask(`/api/v1/pairing/${encodeURIComponent(p.code)}/approve`, { method: 'POST' }),
  deny: (p) => ask(`/api/v1/pairing/${encodeURIComponent(p.code)}/deny`, { method: 'POST' }),
  revoke: (p) => ask(`/api/v1/pairing?person=${encodeURIComponent(p.person)}`, { method: 'DELETE' }),
};

function person(p, ...deeds) {
  const item = make('li');
  const who = make('div', 'who');
  who.append(make('strong', '', p.name || p.person), make('span', 'id', p.person));
  if (p.code) who.append(make('code', 'code-word', p.code));
  who.append(make('span', 'hint', `since ${fullTime(new Date(p.since))}`));
  item.append(who);
  for (const [deed, label] of deeds) {
    const button = make('button', deed === 'approve' ? 'primary' : 'quiet', label);
    button.type = 'button';
    button.setAttribute('aria-label', `${label} ${p.name || p.person}`);
    button.addEventListener('click', () => act(item, () => change[deed](p)));
    item.append(button);
  }
  return item;
}

async function act(item, what) {
  for (const button of item.querySelectorAll('button')) button.disabled = true;
  let failure = '';
  try {
    await what();
  } catch (refused) {
    failure = `It did not work: ${refused.message}.`;
  }
  await look();
  if (failure) byId('problem').textContent = failure;
}

function fill(list, items, nobody) {
  list.replaceChildren(...(items.length > 0 ? items : [make('li', 'hint', nobody)]));
}

let shown = '';

async function look() {
  try {
    const { pairing } = await ask('/api/v1/pairing');
    byId('problem').textContent = '';
    if (JSON.stringify(pairing) === shown) return; // a button that is about to be pressed stays where it is
    shown = JSON.stringify(pairing);
    fill(byId('waiting'), pairing.filter((p) => p.state === 'pending').map((p) => person(p, ['approve', 'Approve'], ['deny', 'Deny'])), 'Nobody waits.');
    fill(byId('in'), pairing.filter((p) => p.state === 'approved').map((p) => person(p, ['revoke', 'Revoke'])), 'Nobody was let in yet.');
  } catch (problem) {
    shown = '';
    byId('problem').textContent = out ? 'Log in on the chat page first.' : `It could not be looked up: ${problem.message}.`;
  }
}

look();
setInterval(() => {
  if (!document.hidden && !out) look();
}, lookEvery);
