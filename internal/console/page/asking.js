// What waits for a person: the buttons below an answer whose actions have to be confirmed.

import { make } from './morph.js';

export const confirmText = '/confirm';
export const cancelText = '/confirm no';

/** Whether actions wait to be confirmed. */
export const asks = (outcomes) => outcomes.filter((o) => o.outcome === 'asked').length;

/** Whether a text answers what was asked. */
export const answersAsked = (text) => text === confirmText || text.startsWith(`${confirmText} `);

export class Asking {
  /** on.answer(text) */
  constructor(on) {
    this.element = make('div', 'asking');
    this.element.hidden = true;
    this.element.setAttribute('role', 'group');
    this.element.setAttribute('aria-label', 'Waits for you');
    this.yes = button('confirm', () => on.answer(confirmText));
    this.no = button('cancel', () => on.answer(cancelText));
    this.no.textContent = 'Cancel';
    this.element.append(this.yes, this.no);
  }

  /** One answer is for everything that waits, so the button says how much that is. */
  show(count, busy) {
    this.element.hidden = count === 0;
    this.yes.textContent = count > 1 ? `Confirm all ${count}` : 'Confirm';
    this.yes.disabled = this.no.disabled = busy;
  }
}

function button(name, onclick) {
  const one = make('button', name);
  one.type = 'button';
  one.onclick = onclick;
  return one;
}
