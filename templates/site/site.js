// Runs after look.js: the search, and the list of models by provider.
const shownAtFirst = 100;
const openAtMost = 200;
const search = document.getElementById('search');
const list = document.getElementById('models');
const more = document.getElementById('more');
const filters = ['provider', 'takes', 'gives'].map((id) => document.getElementById(id));

function readIndex(models) {
  return models.map(([id, title, takes, gives, description, subpath, mark]) => {
    const name = `${id} ${title}`.toLowerCase();
    const all = `${name} ${takes.join(' ')} ${gives.join(' ')} ${mark} ${description}`.toLowerCase();
    const provider = id.slice(0, id.indexOf('/'));
    return { id, provider, title, takes, gives, description, mark, path: `models/${subpath || id}.html`, name, all };
  });
}

// Matches at the start of the name come first, then other matches in the name, then all other matches.
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

// In the group of a provider, the name omits the provider.
function itemOf(entry, isInGroup = false) {
  const item = document.createElement('li');
  const link = element('a', '', isInGroup ? entry.id.slice(entry.provider.length + 1) : entry.id);
  link.href = entry.path;
  item.append(link);
  if (entry.mark !== '') item.append(' ', chip('mark', entry.mark));
  if (entry.title !== '') item.append(' ', element('span', 'title', entry.title));
  if (entry.description !== '') item.append(' ', element('p', 'text', entry.description));
  item.append(' ', kindsOf(entry));
  return item;
}

function chip(name, text) {
  const made = element('span', `chip ${name}`, text);
  made.dataset[name] = text;
  return made;
}

function kindsOf({ takes, gives }) {
  const line = element('span', 'kinds', '');
  const list = (names) => names.flatMap((name) => [chip('kind', name), ' ']);
  const arrow = element('span', 'soft', '→');
  arrow.setAttribute('aria-label', 'gives');
  arrow.setAttribute('role', 'img');
  line.append(...list(takes), arrow, ' ', ...list(gives));
  return line;
}

// Creates the group of a provider. A closed group lists its models only when a reader opens it.
function groupOf([provider, entries], isOpen) {
  const group = element('details', 'group', '');
  const summary = element('summary', '', '');
  const count = `${entries.length} ${entries.length === 1 ? 'model' : 'models'}`;
  summary.append(element('strong', '', provider), ' ', element('span', 'soft', count));
  const models = element('ul', 'models', '');
  group.append(summary, models);
  const list = () => {
    if (models.childElementCount === 0) models.append(...entries.map((entry) => itemOf(entry, true)));
  };
  group.open = isOpen;
  if (isOpen) list();
  else group.addEventListener('toggle', list);
  return group;
}

function startSearch(entries) {
  let found = [];
  const showMore = (count) => {
    const from = list.children.length;
    list.append(...found.slice(from, from + count).map((entry) => itemOf(entry)));
    more.hidden = list.children.length >= found.length;
  };
  const groups = document.getElementById('groups');
  const byProvider = Object.entries(Object.groupBy(entries, ({ provider }) => provider)).sort();
  groups.append(...byProvider.map((group) => groupOf(group, entries.length <= openAtMost)));
  const show = () => {
    found = find(entries);
    list.replaceChildren();
    const isAsked = [search, ...filters].some(({ value }) => value.trim() !== '');
    groups.hidden = isAsked || byProvider.length < 2;
    if (groups.hidden) showMore(shownAtFirst);
    else more.hidden = true;
    document.getElementById('shown').textContent =
      `${found.length} of ${entries.length} models${found.length === 0 ? '. Try fewer words, or other filters.' : ''}`;
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
  search.value = readWordsFromUrl();
  document.getElementById('controls').hidden = false;
  show();
}

function readWordsFromUrl() {
  try {
    return decodeURIComponent(location.hash.slice(1));
  } catch {
    return ''; // A truncated URL.
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

// `/` focuses the search, arrow keys move through the results, Escape returns, and Enter opens the first result.
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

startSearch(readIndex(globalThis.switchyardIndex));
