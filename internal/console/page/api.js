// Requests to the API, which docs/api.md describes.

/** A Refusal is an answer of the server that is not the one that was hoped for. */
export class Refusal extends Error {
  constructor(status, message) {
    super(message);
    this.status = status;
  }

  /** Whether the same request may succeed later. */
  get passes() {
    return this.status >= 500 || this.status === 401;
  }
}

let onLogin = () => {};

/** Says what to do when the server asks for the token. */
export function whenLoggedOut(what) {
  onLogin = what;
}

/** Asks the API. Without an answer it throws a TypeError, as fetch does. */
export async function ask(path, options = {}) {
  const answer = await fetch(path, { ...options, credentials: 'same-origin', cache: 'no-store' });
  if (answer.status === 401 && path !== '/login') onLogin();
  const text = await answer.text();
  let body = {};
  try {
    body = text ? JSON.parse(text) : {};
  } catch {
    body = {};
  }
  if (!answer.ok) throw new Refusal(answer.status, body.error || `the server answered with ${answer.status}`);
  return body;
}

const at = (room) => `/api/v1/rooms/${encodeURIComponent(room)}`;

export const listRooms = () => ask('/api/v1/rooms');

export const readBefore = (room, id, limit) =>
  ask(`${at(room)}/messages?html=1&limit=${limit}&before=${encodeURIComponent(id)}`);

export const eventsOf = (room, after) =>
  `${at(room)}/events?html=1&after=${encodeURIComponent(after)}`;

export const turnsOf = (message) => ask(`/api/v1/turns?message=${encodeURIComponent(message)}`);

export const turn = (id) => ask(`/api/v1/turns/${encodeURIComponent(id)}`);

/** Writes a message. The key makes sure that it is one message however often it is sent. */
export const write = (room, text, key) =>
  ask(`${at(room)}/messages`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify({ text }),
  });

export const logIn = (token) =>
  ask('/login', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ token }) });

/** A key that no other message has. crypto.randomUUID is there on https only. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}
