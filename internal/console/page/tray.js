// Files that will go with the next message: chosen, dropped or pasted.

import { isPicture, localPicture } from './attachment.js';
import { make } from './morph.js';
import { size } from './words.js';

export class Tray {
  /** limits.count and limits.size are of a message; on.changed() */
  constructor(limits, on) {
    this.limits = limits;
    this.on = on;
    this.files = [];
    this.list = document.getElementById('tray');
    this.problem = document.getElementById('file-problem');
    this.heard = document.getElementById('announce');
    this.input = document.getElementById('files');
    this.button = document.getElementById('attach');
    this.button.addEventListener('click', () => this.input.click());
    this.input.addEventListener('change', () => {
      this.add([...this.input.files]);
      this.input.value = ''; // or the same file could not be chosen again
    });
    document.addEventListener('paste', (e) => this.paste(e));
    this.followDrags(document.getElementById('drop'));
  }

  /** Adds files, as many as a message can have, and says which it cannot. */
  add(files) {
    const refused = [];
    for (const file of files) {
      const all = this.files.reduce((sum, f) => sum + f.size, file.size);
      if (this.files.length === this.limits.count) refused.push(`A message has at most ${this.limits.count} files; ${file.name} is not among them.`);
      else if (all > this.limits.size) refused.push(`${file.name} (${size(file.size)}) is too much: the files of a message are at most ${size(this.limits.size)} together.`);
      else this.files.push(file);
    }
    this.show();
    this.problem.textContent = refused.length > 3 ? `${refused.slice(0, 3).join(' ')} And ${refused.length - 3} more.` : refused.join(' ');
    if (refused.length < files.length) this.heard.textContent = this.files.length === 1 ? `${this.files[0].name} is attached.` : `${this.files.length} files are attached.`;
  }

  remove(file) {
    const i = this.files.indexOf(file);
    this.files.splice(i, 1);
    this.show();
    this.problem.textContent = '';
    this.heard.textContent = `${file.name} is removed.`;
    // The button that had the focus is gone.
    (this.list.querySelectorAll('button')[Math.min(i, this.files.length - 1)] ?? document.getElementById('text')).focus();
  }

  /** Puts other files in place of those there are, and returns these. */
  exchange(files = []) {
    const old = this.files;
    this.files = files;
    this.problem.textContent = '';
    this.show();
    return old;
  }

  show() {
    const shown = new Map([...this.list.children].map((item) => [item.file, item]));
    this.list.replaceChildren(...this.files.map((file) => shown.get(file) ?? this.item(file)));
    this.list.hidden = this.files.length === 0;
    this.on.changed();
  }

  item(file) {
    const item = make('li', 'tray-item');
    item.file = file;
    if (isPicture(file)) {
      const picture = localPicture(file);
      picture.alt = '';
      picture.addEventListener('error', () => picture.remove());
      item.append(picture);
    }
    const remove = make('button', 'remove', '×');
    remove.type = 'button';
    remove.title = 'Remove';
    remove.setAttribute('aria-label', `Remove ${file.name}`);
    remove.onclick = () => this.remove(file);
    const words = make('span', 'tray-words');
    words.append(make('span', 'file-name', file.name), make('span', 'file-size', size(file.size)));
    item.append(words, remove);
    return item;
  }

  /** Takes files from the clipboard. What was copied as text as well is pasted as text. */
  paste(e) {
    const { files, types } = e.clipboardData;
    if (files.length === 0 || types.includes('text/plain') || e.target.closest?.('input, dialog')) return;
    e.preventDefault();
    this.add([...files]);
  }

  followDrags(place) {
    const hasFiles = (e) => e.dataTransfer?.types.includes('Files');
    const open = () => document.querySelector('dialog[open]') === null;
    document.addEventListener('dragover', (e) => {
      if (!hasFiles(e)) return;
      e.preventDefault(); // or the browser would open the file in place of the page
      e.dataTransfer.dropEffect = open() ? 'copy' : 'none';
      place.hidden = !open();
    });
    document.addEventListener('dragleave', (e) => {
      if (e.relatedTarget === null) place.hidden = true;
    });
    document.addEventListener('drop', (e) => {
      place.hidden = true;
      if (!hasFiles(e)) return;
      e.preventDefault();
      if (!open()) return;
      const entries = [...e.dataTransfer.items].map((item) => item.webkitGetAsEntry?.());
      const files = [...e.dataTransfer.files].filter((_, i) => !entries[i]?.isDirectory);
      this.add(files);
      if (files.length < e.dataTransfer.files.length) this.problem.textContent += ' A folder cannot be sent; choose the files in it.';
      document.getElementById('text').focus();
    });
  }
}
