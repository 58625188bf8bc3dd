// The box that messages are written in, and the files that go with them.

import { Tray } from './tray.js';

export class Composer {
  /**
   * on.send(text, files), on.stop(), on.last(): the last text that was written, or "".
   * limits are those of a Tray.
   */
  constructor(limits, on) {
    this.on = on;
    this.form = document.getElementById('composer');
    this.text = document.getElementById('text');
    this.sendButton = document.getElementById('send');
    this.stopButton = document.getElementById('stop');
    this.drafts = new Map(); // text and files by room
    this.tray = new Tray(limits, { changed: () => this.changed() });
    this.form.addEventListener('submit', (e) => {
      e.preventDefault();
      this.submit();
    });
    this.stopButton.addEventListener('click', () => this.on.stop());
    this.text.addEventListener('input', () => this.changed());
    this.text.addEventListener('keydown', (e) => this.key(e));
    this.changed();
  }

  key(e) {
    // While an input method is composing, Enter belongs to it.
    if (e.isComposing) return;
    if (e.key === 'Enter' && !e.shiftKey) {
      e.preventDefault();
      this.submit();
    } else if (e.key === 'ArrowUp' && this.text.value === '') {
      const last = this.on.last();
      if (last === '') return;
      e.preventDefault();
      this.set(last);
    }
  }

  submit() {
    const text = this.text.value;
    if (this.empty()) return;
    this.set('');
    this.on.send(text, this.tray.exchange());
  }

  empty() {
    return this.text.value.trim() === '' && this.tray.files.length === 0;
  }

  set(text) {
    this.text.value = text;
    this.changed();
  }

  changed() {
    this.sendButton.disabled = this.empty();
    this.text.style.height = 'auto';
    this.text.style.height = `${this.text.scrollHeight}px`;
  }

  /** Changes to another room, keeping what was begun in this one. */
  enter(room) {
    if (this.room !== undefined) this.drafts.set(this.room, { text: this.text.value, files: this.tray.files });
    this.room = room;
    const { text, files } = this.drafts.get(room) ?? { text: '', files: [] };
    this.tray.exchange(files);
    this.set(text);
  }

  setWorking(working) {
    if (!working && document.activeElement === this.stopButton) this.text.focus();
    this.stopButton.hidden = !working;
    if (!working) this.stopButton.disabled = false;
  }

  stopping() {
    this.text.focus();
    this.stopButton.disabled = true;
  }
}
