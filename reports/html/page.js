// SPDX-License-Identifier: Apache-2.0
// Filters, and opens what the address names. Everything can be read without.
{
  const by = id => document.getElementById(id);
  const all = selector => [...document.querySelectorAll(selector)];
  const fields = ['q', 'show', 'verdict', 'engine'];
  const entries = all('.failure, .case');
  const wordsOf = entry => [...entry.querySelectorAll('summary, .story, dd, .alike')].map(part => part.textContent).join(' ');
  const texts = new Map(entries.map(entry => [entry, wordsOf(entry).toLowerCase()]));
  const apis = all('.api');
  const rows = all('.matrix tbody tr');

  const enginesOf = entry => entry.dataset.engines.split('\n').filter(Boolean);
  function offer(id, values) {
    for (const value of [...new Set(values)].sort()) by(id).add(new Option(value));
  }
  offer('verdict', entries.map(entry => entry.dataset.verdict));
  offer('engine', entries.flatMap(enginesOf));

  const state = () => Object.fromEntries(fields.map(id => [id, by(id).value]));
  const isFree = filters => fields.every(id => filters[id] === '');

  /// Shows what matches; says how many groups do.
  function filter() {
    const filters = state();
    const words = filters.q.toLowerCase().split(/\s+/).filter(Boolean);
    const holds = text => words.every(word => text.includes(word));
    for (const entry of entries)
      entry.hidden = !(holds(texts.get(entry)) && (!filters.show || entry.dataset.standing === filters.show) &&
        (!filters.verdict || entry.dataset.verdict === filters.verdict) &&
        (!filters.engine || enginesOf(entry).includes(filters.engine)));
    const onlyWords = isFree({...filters, q: ''});
    const named = new Set();
    for (const api of apis) {
      const matches = onlyWords && holds(api.dataset.api.toLowerCase());
      if (matches && words.length) for (const entry of api.querySelectorAll('.case')) entry.hidden = false;
      api.hidden = !(matches || [...api.querySelectorAll('.case')].some(entry => !entry.hidden));
      if (!api.hidden) named.add(api.dataset.api);
    }
    for (const row of rows) row.hidden = !isFree(filters) && !named.has(row.dataset.api);
    const groups = all('.failure');
    const left = groups.filter(group => !group.hidden).length;
    by('shown').textContent = isFree(filters) ? '' : `${left} of ${groups.length} groups, ${named.size} of ${apis.length} APIs match`;
  }

  /// The address keeps the filters as #?q=..., which is the name of no place.
  function keep() {
    const filters = state();
    const search = new URLSearchParams(Object.entries(filters).filter(([, value]) => value));
    history.replaceState(null, '', isFree(filters) ? location.pathname + location.search : `#?${search}`);
    filter();
  }

  function setFilters(search) {
    for (const id of fields) {
      const value = search.get(id) ?? '';
      if (by(id).options && ![...by(id).options].some(option => option.value === value)) by(id).add(new Option(value));
      by(id).value = value;
    }
    filter();
  }

  /// Sets the filters that the address names, or shows the place that it names.
  function follow() {
    const name = location.hash.slice(1);
    if (name.startsWith('?')) return setFilters(new URLSearchParams(name.slice(1)));
    const place = name && by(name);
    if (!place) return;
    if (place.hidden || place.closest('[hidden]')) setFilters(new URLSearchParams());
    reveal(place);
  }

  /// The failure before or after the one that has the focus.
  function step(way) {
    const shown = all('.failure:not([hidden]) > summary, .api[open] .case:not([hidden]) > summary')
      .filter(summary => summary.offsetParent);
    const here = shown.indexOf(document.activeElement?.closest?.('details')?.querySelector('summary'));
    const next = shown[here < 0 ? (way > 0 ? 0 : shown.length - 1) : Math.max(0, Math.min(here + way, shown.length - 1))];
    next?.focus();
    next?.scrollIntoView({block: 'center'});
  }

  function clear() {
    for (const id of fields) by(id).value = '';
    keep();
  }

  const keys = {
    '/': () => by('q').focus(),
    j: () => step(1),
    k: () => step(-1),
    o: () => { const one = document.activeElement?.closest?.('details'); if (one) one.open = !one.open; },
    c: () => document.activeElement?.closest?.('details')?.querySelector('.copy button')?.click(),
  };
  addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === 'Escape') {
      document.activeElement?.blur?.();
      return clear();
    }
    if (['INPUT', 'SELECT', 'TEXTAREA'].includes(event.target.tagName)) return;
    if (!Object.hasOwn(keys, event.key)) return;
    event.preventDefault();
    keys[event.key]();
  });

  for (const id of fields) by(id).addEventListener('input', keep);
  by('clear').addEventListener('click', clear);
  by('filters').addEventListener('submit', event => event.preventDefault());
  addEventListener('hashchange', follow);
  by('filters').hidden = false;
  follow();
}
