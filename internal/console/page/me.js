// The person at the page: a name, and the way out where there is a token.

import { Refusal, logOut } from './api.js';

const stored = 'aside.name';

/** The name that messages are sent with; "" leaves it to the server. */
export const myName = () => localStorage.getItem(stored) ?? '';

/** on.renamed() */
export function introduce(on) {
  const field = document.getElementById('my-name');
  field.value = myName();
  field.addEventListener('change', () => {
    field.value = field.value.replace(/\p{Cc}/gu, ' ').trim();
    if (field.value === '') localStorage.removeItem(stored);
    else localStorage.setItem(stored, field.value);
    on.renamed();
  });
  document.getElementById('me').addEventListener('submit', (e) => {
    e.preventDefault();
    field.blur(); // which is when it changes
    document.getElementById('text').focus();
  });
  const leave = document.getElementById('log-out');
  leave.hidden = document.querySelector('meta[name=token]').content !== 'yes';
  leave.addEventListener('click', async () => {
    const problem = document.getElementById('me-problem');
    try {
      await logOut();
    } catch (refused) {
      // Without the cookie one is out already.
      if (!(refused instanceof Refusal) || refused.status !== 401) {
        problem.textContent = 'You are still logged in: the server does not answer. Try again.';
        return;
      }
    }
    forget();
    location.reload();
  });
}

/** Leaves nothing of this person to the next one: no name, no message on its way. */
function forget() {
  sessionStorage.clear();
  for (const key of Object.keys(localStorage)) if (key.startsWith('aside.') && key !== 'aside.theme') localStorage.removeItem(key);
}
