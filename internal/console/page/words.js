// Times and short texts as they stand on the page.

const clock = new Intl.DateTimeFormat(undefined, { hour: '2-digit', minute: '2-digit' });
const date = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long' });
const dateWithYear = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'long', year: 'numeric' });
const full = new Intl.DateTimeFormat(undefined, { dateStyle: 'full', timeStyle: 'medium' });

export const time = (at) => clock.format(at);
export const fullTime = (at) => full.format(at);
export const sameDay = (a, b) => a.toDateString() === b.toDateString();

/** A day as people call it. */
export function day(at, now) {
  const yesterday = new Date(now);
  yesterday.setDate(now.getDate() - 1);
  if (sameDay(at, now)) return 'Today';
  if (sameDay(at, yesterday)) return 'Yesterday';
  return at.getFullYear() === now.getFullYear() ? date.format(at) : dateWithYear.format(at);
}

/** When something was, as short as it can be said. */
export const when = (at, now) => (sameDay(at, now) ? time(at) : day(at, now));

/** The beginning of a text, on one line. */
export function short(text, most) {
  const line = text.replace(/\s+/g, ' ').trim();
  const letters = Array.from(line);
  return letters.length <= most ? line : `${letters.slice(0, most - 1).join('')}…`;
}

/**
 * Markdown without the signs that say how it looks, for places that show one line. What
 * may be more than a sign stays: 6*7 is not 67.
 */
export const bare = (text) =>
  text
    .replace(/^\s*(```|~~~).*$/gm, '')
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^\s*(#+|>|[-+*])\s+/gm, '')
    .replace(/(\*\*|~~|`)(\S|\S.*?\S)\1/g, '$2');

export const capital = (text) => text.charAt(0).toLocaleUpperCase() + text.slice(1);

/** Milliseconds as people read them. */
export function duration(ms) {
  if (ms < 1000) return `${Math.round(ms)} ms`;
  return ms < 60000 ? `${(ms / 1000).toFixed(1)} s` : `${Math.floor(ms / 60000)} min ${Math.round((ms % 60000) / 1000)} s`;
}
