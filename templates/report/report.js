// Runs after look.js. The page works without scripts; they add filters, search, copy buttons and tabs.
const search = document.getElementById('search');
const outcome = document.getElementById('outcome');
const concern = document.getElementById('concern');
const shown = document.getElementById('shown');
const rules = [...document.querySelectorAll('details.rule')];

function applyFilter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const rule of rules) {
    const text = rule.querySelector('summary').textContent.toLowerCase() + rule.dataset.search;
    const fits =
      (outcome.value === '' || rule.dataset.outcome === outcome.value) &&
      (concern.value === '' || rule.dataset.concern === concern.value) &&
      words.every((word) => text.includes(word));
    rule.hidden = !fits;
    if (fits) count += 1;
  }
  shown.textContent = `${count} of ${rules.length} rules`;
}

function openTarget() {
  const id = decodeURIComponent(location.hash.slice(1));
  const rule = id === '' ? null : document.getElementById(id);
  if (rule === null || !rule.matches('details')) return;
  if (rule.hidden) {
    search.value = '';
    outcome.value = '';
    concern.value = '';
    applyFilter();
  }
  rule.open = true;
  rule.scrollIntoView();
  rule.querySelector('summary').focus();
}

for (const control of [search, outcome, concern]) control.addEventListener('input', applyFilter);
window.addEventListener('hashchange', openTarget);
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(?:INPUT|SELECT)$/.test(event.target.tagName)) return;
  event.preventDefault();
  search.focus();
});

// Open details before printing, because nothing can be opened on paper.
const printed = 'details.cause, details.lacking, .rule[data-outcome="failed"], .rule[data-outcome="waived"]';
let opened = [];
window.addEventListener('beforeprint', () => {
  opened = [...document.querySelectorAll(printed)].filter((one) => !one.open);
  for (const one of opened) one.open = true;
});
window.addEventListener('afterprint', () => {
  for (const one of opened) one.open = false;
});

document.getElementById('controls').hidden = false;
applyFilter();
openTarget();
