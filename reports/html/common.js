// SPDX-License-Identifier: Apache-2.0
// Opens what the address names, and copies the text next to a button. All can be read without it.
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

  for (const button of document.querySelectorAll('.copy button')) {
    button.hidden = false;
    button.addEventListener('click', () => copy(button));
  }
  addEventListener('hashchange', follow);
  follow();
}
