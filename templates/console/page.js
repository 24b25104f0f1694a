// Texts come from callers and documents, so they are inserted as text nodes, never as markup.
const find = (id) => document.getElementById(id);
const keyLifeMs = 24 * 3_600_000; // a key is kept for a day from its first accepted call (MR-IDM-47)
const shownAtMost = 100;
const faultsAtMost = 20;

function make(name, { text, children = [], ...members } = {}) {
  const node = Object.assign(document.createElement(name), members);
  node.append(...(text === undefined ? [] : [String(text)]), ...children);
  return node;
}

const time = (ms) => new Date(ms).toISOString().slice(11, 23);
const day = (ms) => new Date(ms).toISOString().replace('T', ' ').slice(0, 19);

function span(ms) {
  if (ms < 1000) return `${ms} ms`;
  const parts = [86_400, 3600, 60, 1].map((unit, index, all) =>
    Math.floor((ms / 1000 / unit) % (index === 0 ? Infinity : all[index - 1] / unit)),
  );
  const first = parts.findIndex((part) => part > 0);
  const named = parts.map((part, index) => `${part} ${['d', 'h', 'min', 's'][index]}`).slice(first, first + 2);
  return named.filter((part) => !part.startsWith('0 ')).join(' ');
}

function complain(message) {
  find('problem').hidden = message === undefined;
  find('problem').textContent = message ?? '';
}

/** Calls an admin route; the next event shows what it did. */
async function call(method, path, body) {
  const init = body === undefined ? { method } : { method, body: JSON.stringify(body) };
  const reply = await fetch(`/__sandbox/${path}`, init).catch(() => undefined);
  const value = await reply?.json().catch(() => undefined);
  complain(reply?.ok ? undefined : (value?.error ?? 'The sandbox did not respond.'));
  return value;
}

// Requests and replies

const rows = new Map();

function shadeOf({ reply, durationMs }) {
  const status = reply?.status;
  if (status === undefined) return durationMs === undefined ? 'is-waiting' : 'is-failed';
  return status < 400 ? 'is-passed' : status < 500 ? 'is-waived' : 'is-failed';
}

function listHeaders(headers) {
  const entries = Object.entries(headers ?? {});
  return make('dl', {
    children: entries.flatMap(([name, text]) => [make('dt', { text: name }), make('dd', { text })]),
  });
}

function showExchange(exchange) {
  const { id, at, method, target, route, caller, reply, durationMs, headers } = exchange;
  const state = reply?.status ?? (durationMs === undefined ? 'held' : 'no answer');
  const operation = operations.find((one) => one.route === route)?.operation;
  const summary = make('summary', {
    children: [
      make('span', { className: `badge ${shadeOf(exchange)}`, text: state }),
      make('code', { className: 'target', text: `${method} ${target}` }),
      ...(operation === undefined ? [] : [make('span', { className: 'chip', text: operation })]),
      make('span', { className: 'soft facts', text: `${caller} · ${time(at)} · ${durationMs ?? '…'} ms` }),
    ],
  });
  const parts = [make('h3', { text: 'Request' }), listHeaders(headers)];
  if (reply !== undefined) parts.push(make('h3', { text: `Reply ${reply.status}` }), listHeaders(reply.headers));
  const row = rows.get(id) ?? make('details');
  row.replaceChildren(summary, ...parts);
  if (!rows.has(id)) find('exchanges').prepend(row);
  rows.set(id, row);
}

function showExchanges({ exchanges, isAll }) {
  if (isAll) {
    rows.clear();
    find('exchanges').replaceChildren();
  }
  for (const exchange of exchanges) showExchange(exchange);
  for (const [id, row] of rows) {
    if (rows.size <= shownAtMost) break;
    row.remove();
    rows.delete(id);
  }
  find('quiet').hidden = rows.size > 0;
}

// Queue

/** Returns positions from 0 to 100 on a logarithmic scale, so that both a second and a day are visible. */
function placeTimes(times) {
  const sorted = [...new Set(times)].sort((one, other) => one - other);
  let place = 0;
  const places = sorted.map((at, index) => {
    if (index > 0) place += Math.log10(1 + at - sorted[index - 1]);
    return [at, place];
  });
  return new Map(places.map(([at, one]) => [at, place === 0 ? 0 : (100 * one) / place]));
}

function drawPart(className, from, to) {
  const part = make('span', { className });
  part.style.left = `${from}%`;
  part.style.width = `${Math.max(0, to - from)}%`;
  return part;
}

function showQueue(runs, now) {
  const shown = runs.slice(-10).reverse();
  const places = placeTimes([
    now,
    ...shown.flatMap((run) => [run.admittedAt, run.dispatchedAt ?? now, run.endedAt ?? now]),
  ]);
  const rowsOfRuns = shown.map((run) => {
    const end = run.endedAt ?? now;
    const sent = run.dispatchedAt ?? end;
    const waited = sent === run.admittedAt ? [] : [`waited ${span(sent - run.admittedAt)}`];
    const ran = run.dispatchedAt === undefined ? [] : [`ran ${span(end - sent)}`];
    const facts = [run.outcome, ...waited, ...ran].join(' · ');
    const bars = [drawPart('is-waiting', places.get(run.admittedAt), places.get(sent))];
    if (run.dispatchedAt !== undefined) bars.push(drawPart('is-running', places.get(sent), places.get(end)));
    const line = make('div', {
      className: 'run',
      children: [make('span', { text: run.model }), make('span', { className: 'soft', text: facts })],
    });
    return make('li', { children: [line, make('div', { className: 'bar', children: bars })] });
  });
  find('runs').replaceChildren(...rowsOfRuns);
}

// Ledger

const cells = (texts, classNames = []) =>
  make('tr', { children: texts.map((text, index) => make('td', { text, className: classNames[index] ?? '' })) });

function showLedger({ runs, keys, ...totals }, now) {
  for (const name of ['dispatches', 'billed', 'replays']) find(name).textContent = totals[name];
  find('underway').textContent = runs.filter(({ endedAt }) => endedAt === undefined).length;
  const bills = runs
    .toReversed()
    .slice(0, 20)
    .map((run) => {
      const bill = run.billed ? 'billed' : run.endedAt === undefined ? 'open' : 'none';
      return cells(
        [time(run.admittedAt), run.model, run.credential, run.key ?? '–', run.outcome, bill],
        ['wide', '', 'wide'],
      );
    });
  find('bills').replaceChildren(...bills);
  const accepted = new Map(runs.map((run) => [`${run.scope} ${run.key}`, run.admittedAt]));
  const aged = keys
    .slice(-20)
    .reverse()
    .map(({ scope, key, dispatches, billed, replays }) => {
      const at = accepted.get(`${scope} ${key}`);
      const age = at === undefined ? 'unknown' : now - at >= keyLifeMs ? `${span(now - at)}, expired` : span(now - at);
      return cells([key, scope, age, dispatches, billed, replays], ['', 'wide']);
    });
  find('keys').replaceChildren(...aged);
}

// Faults

let known = [];
let statements = {};
let current = { faults: [], variants: [] };

/** The reply contains the active faults. If the change was rejected, the list shows those that are still active. */
async function switchTo(wanted) {
  const now = await call('PUT', 'faults', wanted);
  if (now?.faults !== undefined) current = now;
  showFaults();
}

function showFault({ id, description, requirements }) {
  const box = make('input', { type: 'checkbox', id: `fault ${id}`, checked: current.faults.includes(id) });
  box.addEventListener('change', () => {
    const others = current.faults.filter((one) => one !== id);
    void switchTo({ ...current, faults: box.checked ? [...others, id] : others });
  });
  const children = [make('label', { children: [box, make('code', { text: id })] }), make('p', { text: description })];
  const broken = requirements.map((one) => make('p', { className: 'soft', text: `${one}: ${statements[one]}` }));
  const className = box.checked ? 'is-on' : '';
  return make('li', { className, children: [...children, ...broken.slice(0, 2)] });
}

function showVariant(id) {
  const off = make('button', { type: 'button', text: `Switch off ${id}` });
  off.addEventListener('click', () => {
    void switchTo({ ...current, variants: current.variants.filter((one) => one !== id) });
  });
  return make('li', { className: 'is-on', children: [make('p', { text: `The variant ${id} is on.` }), off] });
}

function showFaults() {
  const isOn = ({ id }) => current.faults.includes(id);
  const words = find('search').value.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = ({ id, description, requirements }) => {
    const text =
      `${id} ${description} ${requirements.map((one) => `${one} ${statements[one]}`).join(' ')}`.toLowerCase();
    return words.every((word) => text.includes(word));
  };
  const found = known.filter((one) => !isOn(one) && holds(one));
  const focused = document.activeElement?.id;
  const shown = words.length === 0 ? found.slice(0, 5) : found.slice(0, faultsAtMost);
  find('on').replaceChildren(...known.filter(isOn).map(showFault), ...current.variants.map(showVariant));
  find('faults').replaceChildren(...shown.map(showFault));
  if (focused?.startsWith('fault ')) find(focused)?.focus();
  find('found').textContent = `${shown.length} of ${found.length} faults that are off`;
}

/** Rebuilds the list only on a change, so that it doesn't move while a user is about to click in it. */
function showDeviations({ faults, variants, scripted }) {
  find('deviating').textContent = faults.length + variants.length + scripted.length;
  if (JSON.stringify({ faults, variants }) !== JSON.stringify(current)) {
    current = { faults, variants };
    showFaults();
  }
}

// Scripted failures

let operations = [];

function fillScriptForm() {
  const { operation, failure } = find('script').elements;
  operation.replaceChildren(...operations.map((one) => make('option', { value: one.operation, text: one.operation })));
  const offer = () => {
    const isRouter = operations[operation.selectedIndex].api === 'model-router';
    const names = isRouter ? ['service_unavailable', 'internal_error'] : ['upstream_error'];
    failure.replaceChildren(...names.map((name) => make('option', { value: name, text: name })));
  };
  operation.addEventListener('change', offer);
  offer();
}

find('script').addEventListener('submit', (event) => {
  event.preventDefault();
  const { operation, failure } = event.target.elements;
  const name = failure.value === 'upstream_error' ? 'code' : 'error_type';
  void call('POST', 'hooks/script', { operation: operation.value, [name]: failure.value });
});
find('clear').addEventListener('click', () => call('DELETE', 'hooks/script'));

function showScripted(scripted) {
  find('scripted').replaceChildren(
    ...scripted.map(({ operation, failure }) => make('li', { text: `${operation}: ${failure}` })),
  );
}

// The page

for (const button of document.querySelectorAll('[data-by]'))
  button.addEventListener('click', () => call('POST', 'clock/advance', { by: button.dataset.by }));
find('search').addEventListener('input', showFaults);
find('origin').textContent = location.origin;

let lost;

function show({ data }) {
  const state = JSON.parse(data);
  clearTimeout(lost);
  find('link').textContent = 'live';
  lost = setTimeout(() => {
    find('link').textContent = 'no connection';
  }, 5000);
  find('now').textContent = `${day(state.now)} UTC`;
  showExchanges(state);
  showQueue(state.ledger.runs, state.now);
  showLedger(state.ledger, state.now);
  showDeviations(state);
  showScripted(state.scripted);
}

void call('GET', 'switches').then((switches) => {
  if (switches?.faults === undefined) return;
  ({ faults: known, operations } = switches);
  statements = Object.fromEntries(switches.requirements.map(({ id, statement }) => [id, statement]));
  fillScriptForm();
  showFaults();
  new EventSource('/__sandbox/events').addEventListener('message', show);
});
