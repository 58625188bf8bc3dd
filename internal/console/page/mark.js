// What became of a person's message, as a small glyph beside it.

const texts = {
  received: 'Received, waits for its turn',
  stalled: 'Nobody has taken it up yet',
  processing: 'Being worked on',
  success: 'Done, with nothing to say',
  complete: 'Answered',
  error: 'Something went wrong',
};

/** The glyphs by the names of marks, as the server has them: "received 👀 stalled 😱 …". */
const glyphs = new Map();
const words = (document.querySelector('meta[name=marks]')?.content ?? '').split(' ');
for (let i = 0; i + 1 < words.length; i += 2) glyphs.set(words[i], words[i + 1]);

/** The glyph of a mark and what it means, or nothing for one that is not known. */
export function markOf(name) {
  return glyphs.has(name) && Object.hasOwn(texts, name) ? { glyph: glyphs.get(name), text: texts[name] } : undefined;
}
