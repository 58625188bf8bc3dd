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
  if (answer.status === 401 && path !== '/login' && path !== '/logout') onLogin();
  return read(answer.status, await answer.text());
}

/** The body of an answer, or a Refusal. */
function read(status, text) {
  let body = {};
  try {
    body = text ? JSON.parse(text) : {};
  } catch {
    body = {};
  }
  if (status < 200 || status > 299) throw new Refusal(status, body.error || `the server answered with ${status}`);
  return body;
}

const at = (room) => `/api/v1/rooms/${encodeURIComponent(room)}`;

export const listRooms = () => ask('/api/v1/rooms');

export const readBefore = (room, id, limit) =>
  ask(`${at(room)}/messages?html=1&limit=${limit}&before=${encodeURIComponent(id)}`);

export const eventsOf = (room, after) =>
  `${at(room)}/events?html=1&after=${encodeURIComponent(after)}`;

export const turnsOf = (message) => ask(`/api/v1/turns?message=${encodeURIComponent(message)}`);

export const fileAt = (id) => `/api/v1/files/${encodeURIComponent(id)}`;

/** Writes a message. The key makes sure that it is one message however often it is sent. */
export const write = (room, text, user, key) =>
  ask(`${at(room)}/messages`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Idempotency-Key': key },
    body: JSON.stringify({ text, user }),
  });

/**
 * Writes a message with files. progress(part) is told how much of it is under way, from
 * 0 to 1, which fetch does not know; the signal gives it up with an AbortError.
 */
export function upload(room, text, user, files, key, progress, signal) {
  const form = new FormData();
  // As a blob: in a field that is a string every line break would become two characters.
  form.append('text', new Blob([text]));
  form.append('user', user);
  for (const file of files) form.append('file', file, file.name);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open('POST', `${at(room)}/messages`);
    request.setRequestHeader('Idempotency-Key', key);
    request.upload.onprogress = (e) => e.lengthComputable && progress(e.loaded / e.total);
    request.onload = () => {
      if (request.status === 401) onLogin();
      try {
        resolve(read(request.status, request.responseText));
      } catch (refused) {
        reject(refused);
      }
    };
    request.onerror = () => reject(new TypeError('no answer'));
    request.onabort = () => reject(new DOMException('given up', 'AbortError'));
    signal.addEventListener('abort', () => request.abort());
    request.send(form);
  });
}

export const logIn = (token) =>
  ask('/login', { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: JSON.stringify({ token }) });

export const logOut = () => ask('/logout', { method: 'POST' });

/** A key that no other message has. crypto.randomUUID is there on https only. */
export function newKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (b) => b.toString(16).padStart(2, '0')).join('');
}
