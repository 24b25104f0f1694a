// Search and copying. Texts of documents become text of the page, and nothing else.
const shownAtFirst = 100;
const search = document.getElementById('search');
const list = document.getElementById('models');
const more = document.getElementById('more');
const filters = ['provider', 'takes', 'gives'].map((id) => document.getElementById(id));

function readIndex({ modalities, models }) {
  const named = (places) => places.map((place) => modalities[place]);
  return models.map(([id, title, takes, gives, description, subpath = id]) => {
    const entry = { id, title, takes: named(takes), gives: named(gives), description, path: `models/${subpath}.html` };
    const name = `${id} ${title}`.toLowerCase();
    const all = `${name} ${entry.takes.join(' ')} ${entry.gives.join(' ')} ${description}`.toLowerCase();
    return { ...entry, provider: id.slice(0, id.indexOf('/')), name, all };
  });
}

// What is in the name comes first, and of that what starts it.
function rankOf({ name, all }, words) {
  if (!words.every((word) => all.includes(word))) return undefined;
  if (words.length === 0 || words.every((word) => name.includes(word)))
    return words.length > 0 && name.startsWith(words[0]) ? 0 : 1;
  return 2;
}

function find(entries) {
  const words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  const [provider, takes, gives] = filters.map(({ value }) => value);
  const ranked = [[], [], []];
  for (const entry of entries) {
    const isWanted =
      (provider === '' || entry.provider === provider) &&
      (takes === '' || entry.takes.includes(takes)) &&
      (gives === '' || entry.gives.includes(gives));
    const rank = isWanted ? rankOf(entry, words) : undefined;
    if (rank !== undefined) ranked[rank].push(entry);
  }
  return ranked.flat();
}

function element(name, className, text) {
  const made = document.createElement(name);
  if (className !== '') made.className = className;
  made.textContent = text;
  return made;
}

function itemOf(entry) {
  const item = document.createElement('li');
  const link = element('a', '', entry.id);
  link.href = entry.path;
  item.append(link);
  if (entry.title !== '') item.append(` ${entry.title}`);
  const kinds = [entry.takes.join(', '), entry.gives.join(', ')].filter(Boolean).join(' → ');
  if (kinds !== '') item.append(' ', element('span', 'chip', kinds));
  if (entry.description !== '') item.append(element('p', 'text', entry.description));
  return item;
}

function startSearch(entries) {
  let found = [];
  const showMore = (count) => {
    const from = list.children.length;
    list.append(...found.slice(from, from + count).map(itemOf));
    more.hidden = list.children.length >= found.length;
  };
  const show = () => {
    found = find(entries);
    list.replaceChildren();
    showMore(shownAtFirst);
    document.getElementById('shown').textContent = `${found.length} of ${entries.length} models`;
  };
  const remember = () => {
    const words = encodeURIComponent(search.value);
    history.replaceState(null, '', words === '' ? location.pathname : `#${words}`);
  };
  for (const control of [search, ...filters]) control.addEventListener('input', show);
  search.addEventListener('change', remember);
  more.addEventListener('click', () => showMore(found.length));
  document.addEventListener('keydown', (event) => moveByKey(event, remember));
  fillFilters(entries);
  search.value = wordsOfAddress();
  document.getElementById('controls').hidden = false;
  show();
}

function wordsOfAddress() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return ''; // an address that somebody has cut
  }
}

function fillFilters(entries) {
  const values = [(one) => [one.provider], (one) => one.takes, (one) => one.gives];
  values.forEach((valuesOf, index) => {
    const names = [...new Set(entries.flatMap(valuesOf))].sort();
    filters[index].append(...names.map((name) => new Option(name, name)));
    filters[index].parentElement.hidden = names.length === 0;
  });
}

// `/` leads to the search, arrows through the results, Escape back, and Enter opens one.
function moveByKey(event, remember) {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const links = [...list.querySelectorAll('a')];
  const place = links.indexOf(document.activeElement);
  const isTyping = document.activeElement === search;
  if (event.key === '/' && !isTyping) focus(search, event);
  else if (event.key === 'ArrowDown' && (isTyping || place >= 0)) focus(links[place + 1], event);
  else if (event.key === 'ArrowUp' && place >= 0) focus(links[place - 1] ?? search, event);
  else if (event.key === 'Escape' && place >= 0) focus(search, event);
  else if (event.key === 'Enter' && isTyping && links.length > 0) {
    remember();
    links[0].click();
  }
}

function focus(target, event) {
  event.preventDefault();
  target?.focus();
}

async function copy(button) {
  const block = document.getElementById(button.dataset.copies);
  let isCopied = true;
  try {
    await navigator.clipboard.writeText(block.textContent);
  } catch {
    // Without the permission: what is selected can always be copied.
    const range = document.createRange();
    range.selectNodeContents(block);
    getSelection().removeAllRanges();
    getSelection().addRange(range);
    isCopied = document.execCommand('copy');
  }
  button.textContent = isCopied ? 'Copied' : 'Selected: copy it';
}

for (const button of document.querySelectorAll('[data-copies]')) {
  button.hidden = false;
  button.addEventListener('click', () => void copy(button));
}
if (search !== null) startSearch(readIndex(globalThis.switchyardIndex));
