// SPDX-License-Identifier: Apache-2.0
// Opens what the address names, and makes the buttons that copy text. All can be read without it.
'use strict';

/// Opens a place and what it lies in.
function reveal(place) {
  for (let at = place; at; at = at.parentElement) if (at.tagName === 'DETAILS') at.open = true;
  place.scrollIntoView();
  place.querySelector('summary')?.focus({preventScroll: true});
}

{
  async function copy(button) {
    const text = button.previousElementSibling.textContent;
    try {
      await navigator.clipboard.writeText(text);
    } catch {  // not allowed here: the older way
      getSelection().selectAllChildren(button.previousElementSibling);
      document.execCommand('copy');
    }
    button.textContent = 'Copied';
    setTimeout(() => { button.textContent = 'Copy'; }, 1500);
  }

  function follow() {
    const place = document.getElementById(location.hash.slice(1));
    if (place) reveal(place);
  }

  for (const place of document.querySelectorAll('.copy')) {
    const button = document.createElement('button');
    button.type = 'button';
    button.textContent = 'Copy';
    button.addEventListener('click', () => copy(button));
    place.append(button);
  }
  addEventListener('hashchange', follow);
  follow();
}
