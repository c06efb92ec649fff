// @ts-check
/** The tree of objects. Only rows on the screen are elements, however many objects there are. */

/** @typedef {import('./model.js').Node} Node */

const ROW = 26, INDENT = 14; // pixels
const icon = (/** @type {string} */ path) =>
  `<svg width="14" height="14" viewBox="0 0 16 16" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round">${path}</svg>`;
const OPEN = icon('<path d="M4 6l4 4 4-4"/>'), CLOSED = icon('<path d="M6 4l4 4-4 4"/>');
const EYE = icon('<path d="M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8z"/><circle cx="8" cy="8" r="2"/>');
const SHUT = icon('<path d="M2 6c3 5 9 5 12 0M4 9.500l-1.200 1.500M8 10.500v2M12 9.500l1.200 1.500"/>');

export class Tree {
  /**
   * @param {import('./model.js').Model} model
   * @param {{select: (node: Node | null) => void, frame: (node: Node) => void, hide: (node: Node) => void}} acts
   */
  constructor(model, acts) {
    this.model = model;
    this.acts = acts;
    this.list = /** @type {HTMLElement} */ (document.getElementById('tree'));
    this.rows = /** @type {HTMLElement} */ (document.getElementById('rows'));
    this.search = /** @type {HTMLInputElement} */ (document.getElementById('search'));
    /** @type {Set<Node>} */
    this.opened = new Set(model.nodes.length <= 2000 ? model.nodes : model.roots);
    /** @type {Node | null} */
    this.selected = null;
    /** @type {Node[]} */
    this.listed = [];
    this.search.addEventListener('input', () => this.update());
    this.search.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && this.listed.length) acts.select(this.found()[0] ?? null);
      if (event.key === 'Escape') { this.search.value = ''; this.update(); this.search.blur(); }
      event.stopPropagation();
    });
    this.list.addEventListener('scroll', () => this.draw());
    this.list.addEventListener('keydown', (event) => this.follow(event));
    new ResizeObserver(() => this.draw()).observe(this.list);
    this.update();
  }

  /** Return the nodes whose names have what is searched for. */
  found() {
    const wanted = this.search.value.trim().toLowerCase();
    return wanted ? this.model.nodes.filter((node) => node.name.toLowerCase().includes(wanted)) : [];
  }

  /** List the nodes again. */
  update() {
    this.listed = [];
    const isSearch = this.search.value.trim() !== '';
    /** @type {Set<Node>} */
    const kept = new Set();
    if (isSearch) for (const node of this.found()) for (let each = /** @type {Node | null} */ (node); each; each = each.parent) kept.add(each);
    /** @param {Node[]} nodes */
    const list = (nodes) => {
      for (const node of nodes) {
        if (isSearch && !kept.has(node)) continue;
        this.listed.push(node);
        if (isSearch || this.opened.has(node)) list(node.children);
      }
    };
    list(this.model.roots);
    this.rows.style.height = `${ROW * this.listed.length}px`;
    this.draw();
  }

  /** Make the elements of the rows on the screen. */
  draw() {
    const first = Math.max(0, Math.floor(this.list.scrollTop / ROW) - 2);
    const last = Math.min(this.listed.length, first + Math.ceil(this.list.clientHeight / ROW) + 5);
    this.rows.replaceChildren(...this.listed.slice(first, last).map((node, i) => this.row(node, first + i)));
  }

  /**
   * @param {Node} node
   * @param {number} place
   */
  row(node, place) {
    const row = document.createElement('div');
    row.className = `row${this.model.isSeen(node) ? '' : ' is-hidden'}${node.shown.length ? '' : ' is-group'}`;
    row.style.top = `${ROW * place}px`;
    row.style.paddingLeft = `${INDENT * node.depth}px`;
    row.setAttribute('role', 'treeitem');
    row.setAttribute('aria-selected', String(node === this.selected));
    row.setAttribute('aria-level', String(node.depth + 1));
    const fold = document.createElement('button');
    fold.tabIndex = -1;
    fold.setAttribute('aria-label', 'open or close');
    if (node.children.length) fold.innerHTML = this.opened.has(node) || this.search.value ? OPEN : CLOSED;
    else fold.style.visibility = 'hidden';
    fold.addEventListener('click', (event) => { event.stopPropagation(); this.toggle(node); });
    const name = document.createElement('span');
    name.className = 'name';
    name.textContent = node.name || '(no name)';
    name.title = node.name;
    const eye = document.createElement('button');
    eye.className = 'eye';
    eye.tabIndex = -1;
    eye.title = node.hidden ? 'show' : 'hide';
    eye.innerHTML = node.hidden ? SHUT : EYE;
    eye.addEventListener('click', (event) => { event.stopPropagation(); this.acts.hide(node); });
    row.addEventListener('click', () => this.acts.select(node));
    row.addEventListener('dblclick', () => this.acts.frame(node));
    row.append(fold, name, eye);
    return row;
  }

  /** @param {Node} node */
  toggle(node) {
    this.opened.has(node) ? this.opened.delete(node) : this.opened.add(node);
    this.update();
  }

  /**
   * Mark a node as the selected one, and show its row.
   * @param {Node | null} node
   */
  select(node) {
    this.selected = node;
    for (let each = node?.parent; each; each = each.parent) this.opened.add(each);
    this.update();
    const place = node ? this.listed.indexOf(node) : -1;
    if (place < 0) return;
    const top = ROW * place, {scrollTop, clientHeight} = this.list;
    if (top < scrollTop || top + ROW > scrollTop + clientHeight) this.list.scrollTop = top - clientHeight / 2;
    this.draw();
  }

  /** @param {KeyboardEvent} event */
  follow(event) {
    const place = this.selected ? this.listed.indexOf(this.selected) : -1, node = this.selected;
    if (event.key === 'ArrowDown') this.acts.select(this.listed[Math.min(place + 1, this.listed.length - 1)] ?? null);
    else if (event.key === 'ArrowUp') this.acts.select(this.listed[Math.max(place - 1, 0)] ?? null);
    else if (event.key === 'ArrowRight' && node?.children.length && !this.opened.has(node)) this.toggle(node);
    else if (event.key === 'ArrowLeft' && node) node.children.length && this.opened.has(node) ? this.toggle(node) : this.acts.select(node.parent ?? node);
    else return;
    event.preventDefault();
    event.stopPropagation();
  }
}
