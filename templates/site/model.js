// Runs after look.js on the page of a model. Opens the collapsed fields around the field that the URL links to.
function unfold() {
  const target = document.getElementById(location.hash.slice(1));
  if (target === null) return;
  for (let outer = target.parentElement; outer !== null; outer = outer.parentElement)
    if (outer.localName === 'details') outer.open = true;
  target.scrollIntoView();
}

addEventListener('hashchange', unfold);
unfold();
