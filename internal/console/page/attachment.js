// A file with a message: a picture is shown, everything else is a link.

import { fileAt } from './api.js';
import { make } from './morph.js';
import { size } from './words.js';

// What the server sends as what it is. An SVG is more than a picture.
const pictures = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];

export const isPicture = (file) => pictures.includes(file.type);

/** An icon of the page, by the id of its template. */
const icon = (id) => document.getElementById(id).content.cloneNode(true);

/**
 * The picture of a file that is on this machine. The browser keeps what it has painted,
 * so its address is given back at once.
 */
export function localPicture(file) {
  const picture = make('img');
  const address = URL.createObjectURL(file);
  const done = () => URL.revokeObjectURL(address);
  picture.addEventListener('load', done);
  picture.addEventListener('error', done);
  picture.src = address;
  return picture;
}

export class Attachment {
  /** file is one of the API, or one on its way to it, with its content in local. */
  constructor(file) {
    this.element = make('li');
    this.link = make('a');
    this.link.target = '_blank';
    this.link.rel = 'noopener noreferrer';
    this.element.append(this.link);
    if (isPicture(file)) this.showPicture(file);
    else this.showName(file);
    this.arrive(file);
  }

  /** Whether the same element can show another state of the file. */
  shows(file) {
    return this.file.size === file.size && isPicture(this.file) === isPicture(file);
  }

  /** The file can be downloaded, if it has an id. */
  arrive(file) {
    this.file = file;
    this.link.title = `${file.name}, ${size(file.size)}`;
    if (!file.id) return;
    this.link.href = fileAt(file.id);
    if (!isPicture(file)) this.link.download = file.name;
  }

  /** A picture has its place before it is there: nothing moves when it comes. */
  showPicture(file) {
    const picture = file.local ? localPicture(file.local) : make('img');
    picture.alt = `${file.name}, ${size(file.size)}`;
    picture.decoding = 'async';
    picture.addEventListener('error', () => this.showName(this.file ?? file));
    if (!file.local) {
      picture.loading = 'lazy';
      picture.src = fileAt(file.id);
    }
    this.link.className = 'picture';
    this.link.replaceChildren(picture);
  }

  showName(file) {
    this.link.className = 'file';
    this.link.replaceChildren(icon('icon-file'), make('span', 'file-name', file.name), make('span', 'file-size', size(file.size)));
  }
}
