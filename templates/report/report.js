// The page works without this script; it adds filter, search and copying.
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

async function copy(button) {
  const line = button.parentElement.querySelector('pre');
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(line.textContent);
  } catch {
    // Without the permission: what is selected can always be copied.
    const range = document.createRange();
    range.selectNodeContents(line);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    isCopied = document.execCommand('copy');
  }
  button.textContent = isCopied ? 'Copied' : 'Selected: copy it';
}

for (const control of [search, outcome, concern]) control.addEventListener('input', applyFilter);
window.addEventListener('hashchange', openTarget);
document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button === null) return;
  if (button.dataset.copies !== undefined) void copy(button);
  if (button.dataset.shows === undefined) return;
  concern.value = button.dataset.shows;
  applyFilter();
  document.getElementById('rules').scrollIntoView();
  concern.focus();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(?:INPUT|SELECT)$/.test(event.target.tagName)) return;
  event.preventDefault();
  search.focus();
});

const tabs = [...document.querySelectorAll('[role="tab"]')];

function selectTab(chosen) {
  for (const tab of tabs) {
    const isChosen = tab === chosen;
    tab.setAttribute('aria-selected', String(isChosen));
    tab.tabIndex = isChosen ? 0 : -1;
    document.getElementById(tab.getAttribute('aria-controls')).hidden = !isChosen;
  }
}

for (const [index, tab] of tabs.entries()) {
  const panel = document.getElementById(tab.getAttribute('aria-controls'));
  panel.setAttribute('role', 'tabpanel');
  panel.setAttribute('aria-labelledby', tab.id);
  tab.parentElement.hidden = false;
  tab.addEventListener('click', () => selectTab(tab));
  tab.addEventListener('keydown', ({ key }) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
    if (step === undefined) return;
    const next = tabs.at((index + step) % tabs.length);
    selectTab(next);
    next.focus();
  });
}
if (tabs.length > 0) selectTab(tabs[0]);

// On paper nothing can be opened.
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
