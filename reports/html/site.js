// SPDX-License-Identifier: Apache-2.0
// Searches the lists of a page of the site. Everything can be read without.
{
  const form = document.getElementById('filters');
  const items = [...document.querySelectorAll('.searched li')];
  const texts = new Map(items.map(item => [item, item.textContent.toLowerCase()]));
  const field = document.getElementById('q');

  /// Shows the items that have all words. The address keeps them.
  function search() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    for (const item of items) item.hidden = !words.every(word => texts.get(item).includes(word));
    const left = items.filter(item => !item.hidden).length;
    document.getElementById('shown').textContent = words.length ? `${left} of ${items.length}` : '';
    for (const list of document.querySelectorAll('.searched'))
      list.hidden = list.previousElementSibling.hidden = ![...list.children].some(item => !item.hidden);
    history.replaceState(null, '', words.length ? '#?q=' + encodeURIComponent(field.value) : location.pathname);
  }

  if (form) {
    form.hidden = false;
    if (location.hash.startsWith('#?q=')) {
      field.value = decodeURIComponent(location.hash.slice(4));
      search();
    }
    field.addEventListener('input', search);
    form.addEventListener('submit', event => {  // Enter: the first that is left
      event.preventDefault();
      const first = items.find(item => !item.hidden)?.querySelector('a');
      if (first) location.href = first.href;
    });
    addEventListener('keydown', event => {
      if (event.key !== '/' || event.target === field || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      field.focus();
    });
  }
}
