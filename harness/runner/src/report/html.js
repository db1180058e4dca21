'use strict';
(() => {
  const form = document.getElementById('filters');
  const field = (name) => form.elements.namedItem(name);

  // What can be filtered: each item with its target, if it has one, and its text. A row of a heat map is its name only;
  // its numbers would match anything.
  const items = [...document.querySelectorAll('[data-f]')].map((element) => {
    const target = element.closest('[data-t]');
    const heat = element.closest('.heat');
    return {
      element,
      target: target ? target.dataset.t : null,
      status: element.dataset.s,
      text: (heat ? element.firstElementChild : element).textContent.toLowerCase(),
    };
  });

  function filter() {
    const target = field('target').value;
    const status = field('errata').value;
    const words = field('text').value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    for (const item of items) {
      const fits = (!target || item.target === null || item.target === target)
        && (!status || item.status === undefined || item.status === status)
        && words.every((word) => item.text.includes(word));
      item.element.hidden = !fits;
      shown += fits;
    }
    for (const axis of document.querySelectorAll('.axis')) {
      axis.hidden = !axis.querySelector('tbody tr:not([hidden])');
    }
    const filtered = target || status || words.length;
    field('shown').value = filtered ? shown + ' of ' + items.length + ' entries' : '';
    if (words.length) {
      for (const details of document.querySelectorAll('#single-source details')) details.open = true;
    }
  }

  // The filters are kept in the address, so that a filtered page can be linked to.
  function remember() {
    const query = new URLSearchParams();
    for (const name of ['target', 'text', 'errata']) {
      if (field(name).value) query.set(name, field(name).value);
    }
    const text = query.toString();
    try {
      history.replaceState(null, '', (text ? '?' + text : location.pathname) + location.hash);
    } catch (error) {
      // Some browsers let no page from a file change its address; the filters work all the same.
    }
  }

  function recall() {
    const query = new URLSearchParams(location.search);
    for (const name of ['target', 'text', 'errata']) {
      const value = query.get(name) || '';
      field(name).value = value;
      if (field(name).value !== value) field(name).value = '';
    }
    filter();
  }

  // A link leads to its place even if it is folded or filtered away.
  function reveal() {
    let id = location.hash.slice(1);
    try { id = decodeURIComponent(id); } catch (error) { /* Not encoded: taken as it is. */ }
    const element = id && document.getElementById(id);
    if (!element) return;
    if (element.closest('[hidden]')) {
      form.reset();
      filter();
    }
    for (let at = element; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
    element.scrollIntoView();
  }

  form.addEventListener('input', () => { filter(); remember(); });
  form.addEventListener('reset', () => setTimeout(() => { filter(); remember(); }));
  form.addEventListener('submit', (event) => event.preventDefault());
  window.addEventListener('hashchange', reveal);
  form.hidden = false;
  recall();
  reveal();

  // The names of a heat map's cell, made when the pointer first gets there.
  const named = new WeakSet();
  document.addEventListener('mouseover', (event) => {
    const cell = event.target.closest && event.target.closest('.heat tbody td:not(.hole)');
    if (!cell || cell.cellIndex < 2 || named.has(cell)) return;
    named.add(cell);
    const field = cell.closest('table').tHead.rows[0].cells[cell.cellIndex].textContent;
    const name = cell.parentElement.cells[0].textContent;
    const share = cell.textContent ? cell.textContent + ' % of its bits were seen both 0 and 1' : 'never had the field';
    cell.title = name + ', ' + field + ': ' + share + (cell.title ? '\nBits ' + cell.title : '');
  });

  function copyOf(code) {
    const range = document.createRange();
    range.selectNodeContents(code);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    return document.execCommand('copy') ? Promise.resolve() : Promise.reject(new Error('refused'));
  }
  for (const button of document.querySelectorAll('.copy')) {
    const code = button.previousElementSibling;
    button.hidden = false;
    button.addEventListener('click', () => {
      const copied = navigator.clipboard
        ? navigator.clipboard.writeText(code.textContent).catch(() => copyOf(code))
        : copyOf(code);
      copied.then(() => 'Copied', () => 'Select and copy').then((text) => {
        button.textContent = text;
        setTimeout(() => { button.textContent = 'Copy'; }, 2000);
      });
    });
  }

  // Paper has no folds.
  let folded = [];
  window.addEventListener('beforeprint', () => {
    folded = [...document.querySelectorAll('details:not([open])')];
    for (const details of folded) details.open = true;
  });
  window.addEventListener('afterprint', () => { for (const details of folded) details.open = false; });
})();
