// The form that asks for the token, where there is one.

import { logIn, whenLoggedOut } from './api.js';

export function guardPage() {
  const dialog = document.getElementById('login');
  const field = document.getElementById('token');
  const problem = document.getElementById('login-problem');
  dialog.addEventListener('close', () => dialog.showModal()); // there is nothing behind it
  dialog.querySelector('form').addEventListener('submit', async (e) => {
    e.preventDefault();
    problem.textContent = '';
    try {
      await logIn(field.value);
      location.reload();
    } catch (refused) {
      problem.textContent = refused.status === 401 ? 'That is not the token.' : `It did not work: ${refused.message}.`;
      field.select();
    }
  });
  whenLoggedOut(() => {
    if (!dialog.open) dialog.showModal();
  });
}
