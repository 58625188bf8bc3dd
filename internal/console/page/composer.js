// The box that messages are written in.

export class Composer {
  /** on.send(text), on.stop(), on.last(): the last text that was written, or "". */
  constructor(on) {
    this.on = on;
    this.form = document.getElementById('composer');
    this.text = document.getElementById('text');
    this.sendButton = document.getElementById('send');
    this.stopButton = document.getElementById('stop');
    this.drafts = new Map(); // by room
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
    if (text.trim() === '') return;
    this.set('');
    this.on.send(text);
  }

  set(text) {
    this.text.value = text;
    this.changed();
  }

  changed() {
    this.sendButton.disabled = this.text.value.trim() === '';
    this.text.style.height = 'auto';
    this.text.style.height = `${this.text.scrollHeight}px`;
  }

  /** Changes to another room, keeping what was begun in this one. */
  enter(room) {
    if (this.room !== undefined) this.drafts.set(this.room, this.text.value);
    this.room = room;
    this.set(this.drafts.get(room) ?? '');
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
