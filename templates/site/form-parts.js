// Parts of a form, made from the JSON Schema of an input; the scripts after it use them. Texts of the schema become text of the page, and nothing else.
const formSchema = JSON.parse(document.getElementById('open-form').dataset.schema);
const mostNested = 6;
let nextId = 0;

const make = (name, properties = {}, ...children) => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};
const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
const isNull = (part) => part.type === 'null' || part.const === null;

/** What a reference leads to within the schema. */
function follow($ref) {
  const [, place, name] = /^#\/(\$defs|definitions)\/(.+)$/.exec($ref ?? '') ?? [];
  return place === undefined
    ? {}
    : formSchema[place]?.[decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~')];
}

/** A schema with its references followed and its parts merged. Null is left out: a field that is left out says as much. */
function resolve(part, budget = { left: 500 }) {
  budget.left -= 1;
  if (!isObject(part) || budget.left < 0) return {};
  const { $ref, allOf, ...own } = part;
  const whole = (allOf ?? []).reduce(
    (merged, one) => merge(merged, resolve(one, budget)),
    merge(own, $ref === undefined ? {} : resolve(follow($ref), budget)),
  );
  const choices = (whole.oneOf ?? whole.anyOf)?.filter((one) => !isNull(one));
  if (choices?.length !== 1 || whole.properties !== undefined)
    return choices === undefined ? whole : { ...whole, choices };
  const { oneOf: _, anyOf: __, ...rest } = whole;
  return { ...resolve(choices[0], budget), ...rest };
}

function merge(whole, more) {
  const properties = { ...more.properties, ...whole.properties };
  const required = [...(whole.required ?? []), ...(more.required ?? [])];
  const objects = Object.keys(properties).length > 0 ? { properties, required } : {};
  return { ...more, ...whole, ...objects };
}

function readType({ type, properties, items, choices, enum: listed }) {
  if (listed !== undefined) return 'enum';
  if (choices !== undefined && properties === undefined) return 'choice';
  const types = [type ?? []].flat().filter((one) => one !== 'null');
  if (types.length === 1) return types[0];
  if (properties !== undefined) return 'object';
  return items === undefined ? 'json' : 'array';
}

const makers = {
  object: (part, value, depth) => (isEmpty(part.properties) ? makeJson(part, value) : makeObject(part, value, depth)),
  array: (part, value, depth) => (isObject(part.items) ? makeList(part, value, depth) : makeJson(part, value)),
  choice: (part, value, depth) => makeChoice(part, value, depth),
  enum: (part, value) => makeSelect(part, value),
  boolean: (part, value) => makeSelect({ ...part, enum: [true, false] }, value),
  number: (part, value) => makeNumber(part, value, 'any'),
  integer: (part, value) => makeNumber(part, value, part.multipleOf ?? 1),
  string: (part, value) => makeText(part, value),
  json: (part, value) => makeJson(part, value),
};
const isEmpty = (properties = {}) => Object.keys(properties).length === 0;

/** A part that is one control. */
const asPart = (control, read) => ({ element: control, control, read });

/** A part of the form: its element, and `read`, whose undefined leaves the value out. */
function makePart(raw, value, depth) {
  const part = resolve(raw);
  const kind = depth > mostNested ? 'json' : readType(part);
  return (Object.hasOwn(makers, kind) ? makers[kind] : makers.json)(part, value, depth);
}

function makeOptions(otherwise, names) {
  return make('select', {}, new Option(otherwise, ''), ...names.map((name, index) => new Option(name, index)));
}

function makeSelect({ enum: listed, default: preset }, value) {
  const values = listed.filter((one) => one !== null);
  const otherwise = preset === undefined ? '(left out)' : `(left out: ${JSON.stringify(preset)})`;
  const select = makeOptions(otherwise, values);
  const place = values.findIndex((one) => JSON.stringify(one) === JSON.stringify(value));
  select.value = place < 0 ? '' : String(place);
  return asPart(select, () => (select.value === '' ? undefined : values[Number(select.value)]));
}

function makeNumber({ minimum, maximum, default: preset }, value, step) {
  const input = make('input', { type: 'number', step, value: value ?? '', placeholder: preset ?? '' });
  for (const [name, bound] of Object.entries({ min: minimum, max: maximum }))
    if (bound !== undefined) input[name] = bound;
  return asPart(input, () => (input.value === '' ? undefined : Number(input.value)));
}

function makeText({ maxLength = Number.POSITIVE_INFINITY, format, default: preset }, value) {
  const isLong = maxLength > 200 && format === undefined;
  const input = make(isLong ? 'textarea' : 'input', {
    value: value ?? '',
    placeholder: preset ?? '',
    ...(isLong ? { rows: 2 } : {}),
  });
  // An empty text may be meant: it stays one where the value began as one.
  return asPart(input, () => (input.value === '' && value !== '' ? undefined : input.value));
}

function makeJson(_part, value) {
  const input = make('textarea', {
    rows: 3,
    value: value === undefined ? '' : JSON.stringify(value, undefined, 2),
    spellcheck: false,
    placeholder: 'as JSON',
  });
  input.className = 'json';
  return asPart(input, () => {
    try {
      input.setCustomValidity('');
      return input.value.trim() === '' ? undefined : JSON.parse(input.value);
    } catch {
      input.setCustomValidity('This is not JSON.');
      return undefined;
    }
  });
}

function makeObject(part, value, depth) {
  const given = isObject(value) ? value : {};
  const required = new Set(part.required);
  const fields = Object.entries(part.properties)
    .map(([name, raw]) => ({ name, raw, isRequired: required.has(name) }))
    .toSorted((left, right) => Number(right.isRequired) - Number(left.isRequired));
  const rows = fields.map(({ name, raw, isRequired }) => ({
    name,
    ...makeField(name, { raw, value: given[name], isRequired }, depth),
  }));
  const list = make(
    'div',
    { className: 'form-fields' },
    ...rows.filter((_, index) => fields[index].isRequired).map((row) => row.element),
  );
  const optional = rows.filter((_, index) => !fields[index].isRequired).map((row) => row.element);
  if (optional.length > 0) {
    const heading = `${optional.length}${list.childElementCount === 0 ? '' : ' optional'} field${optional.length === 1 ? '' : 's'}`;
    const isOpen = depth === 0 && (list.childElementCount === 0 || optional.length <= 4);
    list.append(make('details', { open: isOpen }, make('summary', { textContent: heading }), ...optional));
  }
  const others = Object.fromEntries(Object.entries(given).filter(([name]) => !Object.hasOwn(part.properties, name)));
  const read = () => {
    const entries = rows.map(({ name, read }) => [name, read()]).filter(([, one]) => one !== undefined);
    const found = { ...others, ...Object.fromEntries(entries) };
    return Object.keys(found).length === 0 && value === undefined && depth > 0 ? undefined : found;
  };
  return { element: list, read };
}

function makeField(name, { raw, value, isRequired }, depth) {
  const part = resolve(raw);
  const made = makePart(raw, value, depth + 1);
  const label = make(made.control === undefined ? 'legend' : 'label', {}, make('code', { textContent: name }));
  if (isRequired) label.append(' ', make('strong', { className: 'required', textContent: 'required' }));
  if (part.deprecated === true)
    label.append(' ', make('strong', { className: 'deprecated', textContent: 'deprecated' }));
  const help =
    typeof part.description === 'string' ? [make('p', { className: 'soft help', textContent: part.description })] : [];
  if (made.control === undefined) return { ...made, element: make('fieldset', {}, label, ...help, made.element) };
  nextId += 1;
  made.control.id = `form-${nextId}`;
  label.htmlFor = made.control.id;
  made.control.name = name;
  return { ...made, element: make('div', { className: 'form-field' }, label, made.element, ...help) };
}

function makeList(part, value, depth) {
  const rows = [];
  const place = make('div', { className: 'form-items' });
  const add = (one) => {
    const made = makePart(part.items, one, depth + 1);
    made.control?.setAttribute('aria-label', `item ${rows.length + 1}`);
    const remove = make('button', { type: 'button', textContent: 'Remove' });
    const row = { ...made, element: make('div', { className: 'form-item' }, made.element, remove) };
    remove.addEventListener('click', () => {
      rows.splice(rows.indexOf(row), 1);
      row.element.remove();
      place.dispatchEvent(new Event('input', { bubbles: true }));
    });
    rows.push(row);
    place.append(row.element);
  };
  for (const one of Array.isArray(value) ? value.slice(0, 100) : []) add(one);
  const more = make('button', { type: 'button', textContent: 'Add an item' });
  more.addEventListener('click', () => {
    add(undefined);
    place.lastElementChild.querySelector('input, select, textarea')?.focus();
    place.dispatchEvent(new Event('input', { bubbles: true }));
  });
  const read = () => {
    const items = rows.map(({ read }) => read()).filter((one) => one !== undefined);
    return items.length === 0 && !Array.isArray(value) ? undefined : items;
  };
  return { element: make('div', {}, place, more), read };
}

function makeChoice({ choices }, value, depth) {
  const parts = choices.map((raw) => resolve(raw));
  const names = parts.map(
    ({ title, const: only, ...one }, index) =>
      title ?? (only === undefined ? `${readType(one)} (${index + 1})` : JSON.stringify(only)),
  );
  const select = makeOptions('(left out)', names);
  const place = make('div');
  let inner = { read: () => undefined };
  const show = (given) => {
    const chosen = select.value === '' ? undefined : choices[Number(select.value)];
    const only = chosen === undefined ? undefined : resolve(chosen).const;
    inner =
      chosen === undefined || only !== undefined
        ? { element: '', read: () => only }
        : makePart(chosen, given, depth + 1);
    inner.control?.setAttribute('aria-label', 'value');
    place.replaceChildren(inner.element ?? '');
  };
  const fits = (part) => globalThis.switchyardValidator({ ...part, $defs: formSchema.$defs ?? {} }).accepts(value);
  const found = value === undefined ? -1 : choices.findIndex(fits);
  select.value = found < 0 ? '' : String(found);
  select.addEventListener('input', () => show(undefined));
  show(value);
  return { element: make('div', {}, select, place), control: select, read: () => inner.read() };
}
