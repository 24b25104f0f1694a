// The page works without this script; it adds filter, search and copying.
const search = document.getElementById('search');
const outcome = document.getElementById('outcome');
const family = document.getElementById('family');
const shown = document.getElementById('shown');
const rules = [...document.querySelectorAll('details.rule')];

function applyFilter() {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  let count = 0;
  for (const rule of rules) {
    const text = rule.querySelector('summary').textContent.toLowerCase() + rule.dataset.search;
    const fits =
      (outcome.value === '' || rule.dataset.outcome === outcome.value) &&
      (family.value === '' || rule.dataset.family === family.value) &&
      words.every((word) => text.includes(word));
    rule.hidden = !fits;
    if (fits) count += 1;
  }
  shown.textContent = `${count} of ${rules.length} rules`;
}

function openTarget() {
  const id = decodeURIComponent(location.hash.slice(1));
  const rule = id === '' ? null : document.getElementById(id);
  if (rule === null || !rule.matches('details.rule')) return;
  if (rule.hidden) {
    search.value = '';
    outcome.value = '';
    family.value = '';
    applyFilter();
  }
  rule.open = true;
  rule.scrollIntoView();
  rule.querySelector('summary').focus();
}

async function copy(button) {
  const line = document.getElementById(button.dataset.copies);
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

for (const control of [search, outcome, family]) control.addEventListener('input', applyFilter);
window.addEventListener('hashchange', openTarget);
document.addEventListener('click', (event) => {
  const button = event.target.closest('button');
  if (button === null) return;
  if (button.dataset.copies !== undefined) void copy(button);
  if (button.dataset.shows === undefined) return;
  family.value = button.dataset.shows;
  applyFilter();
  document.getElementById('rules').scrollIntoView();
  family.focus();
});
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || /^(?:INPUT|SELECT)$/.test(event.target.tagName)) return;
  event.preventDefault();
  search.focus();
});
document.getElementById('controls').hidden = false;
applyFilter();
openTarget();
