// The page: puts the parts together.

import { newKey, write } from './api.js';
import { Composer } from './composer.js';
import { Drawer } from './drawer.js';
import { guardPage } from './login.js';
import { introduce, myName } from './me.js';
import { copyCode } from './morph.js';
import { Room } from './room.js';
import { Rooms, valid } from './rooms.js';
import { Sender } from './sender.js';
import { short } from './words.js';

const byId = (id) => document.getElementById(id);
const told = (name) => document.querySelector(`meta[name=${name}]`).content; // by the server
const agent = told('agent');
const feed = byId('feed');
const bannerAfter = 2000; // milliseconds without a connection before it is worth a word
const typingFor = 6000;
const nearEnd = 80; // pixels

let room = null;
let atEnd = true; // the reader follows what comes
let working = false;
let typing = 0;
let lost = 0;

guardPage();
introduce({ renamed: () => room?.arrange() });
const drawer = new Drawer();
const sender = new Sender({ room: () => room });
const rooms = new Rooms({ open: (name) => enter(name, true) });
const limits = { count: Number(told('file-count')), size: Number(told('file-size')) };
const composer = new Composer(limits, {
  send: (text, files) => {
    atEnd = true;
    sender.send(text, files, myName());
    byId('empty').hidden = true;
  },
  stop,
  last: () => room.written().at(-1) ?? '',
});

function enter(name, push) {
  if (push && room?.name !== name) history.pushState(null, '', name === 'main' ? '/' : `/?room=${encodeURIComponent(name)}`);
  closeMenu();
  room?.close();
  clearTimeout(lost);
  atEnd = true;
  typing = 0;
  byId('empty').hidden = true;
  byId('earlier').hidden = true;
  byId('newest').hidden = true;
  byId('room-title').textContent = name;
  document.title = name === 'main' ? agent : `${name} · ${agent}`;
  feed.setAttribute('aria-busy', 'true');
  room = new Room(name, byId('entries'), {
    up,
    down,
    grew,
    working: (now) => setWorking(now),
    typing: () => {
      typing = Date.now() + typingFor;
      setTimeout(showStatus, typingFor + 50);
      showStatus();
    },
    wrote: rest,
    settled: () => {
      rest();
      rooms.look();
    },
    answered: (answers) => {
      byId('announce').textContent = `${agent}: ${short(answers.map((a) => a.words).join(' '), 500)}`;
    },
    loaded: (count) => {
      feed.setAttribute('aria-busy', 'false');
      byId('earlier').hidden = !room.more;
      byId('empty').hidden = count > 0 || room.pending.length > 0;
      byId('banner').hidden = true;
      toEnd();
    },
    failed: down,
    details: (message) => drawer.open(message),
    answer: (text) => {
      composer.on.send(text, []);
      composer.text.focus(); // the button goes
    },
  });
  rooms.enter(name);
  composer.enter(name);
  sender.resume();
  composer.text.focus({ preventScroll: true });
}

// The connection.

function up() {
  clearTimeout(lost);
  lost = 0;
  byId('banner').hidden = true;
  rooms.look();
  sender.again();
}

function down() {
  if (lost === 0) lost = setTimeout(() => showBanner('Reconnecting…'), bannerAfter);
}

function showBanner(text) {
  byId('banner').textContent = text;
  byId('banner').hidden = false;
}

// Work and rest.

function setWorking(now) {
  working = now;
  composer.setWorking(now);
  showStatus();
}

/** Nobody is writing any more: it stands there. */
function rest() {
  typing = 0;
  showStatus();
}

function showStatus() {
  const status = byId('status');
  status.classList.toggle('on', working || typing > Date.now());
  status.textContent = typing > Date.now() ? `${agent} is writing` : working ? `${agent} is working` : '';
}

async function stop() {
  if (!working) return;
  composer.stopping();
  const key = newKey();
  for (const wait of [500, 1000, 2000, 0]) {
    try {
      await write(room.name, '/stop', myName(), key);
      return;
    } catch {
      await new Promise((resolve) => setTimeout(resolve, wait));
    }
  }
  composer.setWorking(working);
  byId('stop').disabled = false;
}

addEventListener('keydown', (e) => {
  if (e.key !== 'Escape' || e.isComposing || e.defaultPrevented || document.querySelector('dialog[open]')) return;
  if (byId('menu').getAttribute('aria-expanded') === 'true') closeMenu(true);
  else if (working && !byId('stop').disabled) stop();
});

// Scrolling: whoever reads the end stays there, whoever reads further up is left alone.

function toEnd() {
  feed.scrollTop = feed.scrollHeight;
  byId('newest').hidden = true;
}

function grew() {
  if (atEnd) toEnd();
  else byId('newest').hidden = false;
}

feed.addEventListener('scroll', () => {
  atEnd = feed.scrollHeight - feed.scrollTop - feed.clientHeight < nearEnd;
  if (atEnd) byId('newest').hidden = true;
}, { passive: true });

const sizes = new ResizeObserver(() => atEnd && toEnd());
sizes.observe(feed);
sizes.observe(byId('entries'));

byId('newest').addEventListener('click', () => {
  atEnd = true;
  toEnd();
  composer.text.focus();
});

byId('earlier').addEventListener('click', async () => {
  const first = byId('entries').querySelector('article');
  const top = first.getBoundingClientRect().top;
  const here = room;
  try {
    await here.readEarlier();
  } catch (problem) {
    showBanner(`They could not be read: ${problem.message}.`);
    return;
  }
  if (here !== room) return;
  byId('banner').hidden = true;
  byId('earlier').hidden = !room.more;
  feed.scrollTop += first.getBoundingClientRect().top - top; // what is being read stays where it is
});

// Small things.

byId('empty').addEventListener('click', (e) => {
  const say = e.target.closest('[data-say]')?.dataset.say;
  if (say) {
    composer.on.send(say, []);
    composer.text.focus();
  }
});

byId('entries').addEventListener('click', (e) => {
  if (e.target.classList.contains('copy')) copyCode(e.target);
});

byId('theme').addEventListener('click', () => {
  const root = document.documentElement;
  const dark = root.dataset.theme ? root.dataset.theme === 'dark' : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
  localStorage.setItem('aside.theme', root.dataset.theme);
});

function closeMenu(focus) {
  byId('menu').setAttribute('aria-expanded', 'false');
  byId('rooms').classList.remove('open');
  byId('shade').hidden = true;
  byId('stage').inert = false;
  if (focus) byId('menu').focus();
}

byId('menu').addEventListener('click', () => {
  byId('menu').setAttribute('aria-expanded', 'true');
  byId('rooms').classList.add('open');
  byId('shade').hidden = false;
  byId('stage').inert = true;
  byId('rooms').querySelector('a, input').focus();
});
byId('shade').addEventListener('click', () => closeMenu(true));

function fromAddress() {
  const name = new URLSearchParams(location.search).get('room') ?? 'main';
  return valid(name) ? name : 'main';
}

addEventListener('popstate', () => enter(fromAddress(), false));
enter(fromAddress(), false);
