// Puts rendered HTML into the page, changing as little as it can: what is already
// there stays the same nodes, so that nothing flickers, selections survive, and code
// that was scrolled sideways stays where it is.

/** Makes an element's content the HTML, which the server has rendered and escaped. */
export function setHTML(element, html) {
  const template = document.createElement('template');
  template.innerHTML = html;
  dress(template.content);
  morph(element, template.content);
}

/** Adds what rendered HTML needs on a page: a copy button, a place to scroll in. */
function dress(root) {
  for (const pre of root.querySelectorAll('pre')) {
    const box = make('div', 'code');
    const head = make('div', 'code-head');
    const language = make('span', 'language', pre.dataset.language || '');
    const copy = make('button', 'copy', 'Copy');
    copy.type = 'button';
    head.append(language, copy);
    pre.replaceWith(box);
    pre.tabIndex = 0;
    box.append(head, pre);
  }
  for (const table of root.querySelectorAll('table')) {
    const box = make('div', 'wide');
    box.tabIndex = 0;
    table.replaceWith(box);
    box.append(table);
  }
}

/** A new element with a class and a text. */
export function make(tag, className = '', text = '') {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== '') element.textContent = text;
  return element;
}

function morph(old, fresh) {
  let was = old.firstChild;
  for (const node of [...fresh.childNodes]) {
    if (!was) {
      old.append(node);
      continue;
    }
    const next = was.nextSibling;
    if (alike(was, node)) {
      if (was.nodeType === Node.ELEMENT_NODE) {
        attributes(was, node);
        morph(was, node);
      } else if (was.data !== node.data) {
        was.data = node.data;
      }
    } else {
      was.replaceWith(node);
    }
    was = next;
  }
  while (was) {
    const next = was.nextSibling;
    was.remove();
    was = next;
  }
}

const alike = (a, b) => a.nodeType === b.nodeType && a.nodeName === b.nodeName && a.className === b.className;

function attributes(old, fresh) {
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name)) old.removeAttribute(name);
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value) old.setAttribute(name, value);
}

/** Copies what a code block says when its button is pressed. */
export async function copyCode(button) {
  const text = button.closest('.code').querySelector('code').textContent;
  let done = false;
  try {
    await navigator.clipboard.writeText(text);
    done = true;
  } catch {
    // Without https there is no clipboard; select it, so that a key copies it.
    getSelection().selectAllChildren(button.closest('.code').querySelector('code'));
  }
  button.textContent = done ? 'Copied' : 'Selected';
  setTimeout(() => (button.textContent = 'Copy'), 1500);
}
