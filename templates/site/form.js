// The form of a model, made from the JSON Schema of its input. Texts of the schema become text of the page, and nothing else.
(() => {
  const opener = document.getElementById('open-form');
  const { sample, url, key, path } = opener.dataset;
  const schema = JSON.parse(opener.dataset.schema);
  const tokens = new RegExp(opener.dataset.tokens, 'g');
  const { validate } = globalThis.switchyardValidator(schema);
  const mostNested = 6;
  let nextId = 0;

  const make = (name, properties = {}, ...children) => {
    const made = Object.assign(document.createElement(name), properties);
    made.append(...children);
    return made;
  };
  const isObject = (value) => typeof value === 'object' && value !== null && !Array.isArray(value);
  const isNull = (part) => part.type === 'null' || part.const === null;

  /** A schema with its references followed, its parts merged, and null apart: a field that is left out says as much. */
  function resolve(part, depth = 0) {
    if (!isObject(part) || depth > 20) return {};
    const { $ref, allOf, ...own } = part;
    const name = /^#\/(\$defs|definitions)\/(.+)$/.exec($ref ?? '');
    const target = name === null ? {} : schema[name[1]]?.[decodeURIComponent(name[2]).replaceAll('~1', '/').replaceAll('~0', '~')];
    let whole = { ...resolve(target, depth + 1), ...own };
    for (const one of allOf ?? []) {
      const more = resolve(one, depth + 1);
      const properties = { ...whole.properties, ...more.properties };
      whole = { ...more, ...whole, properties, required: [...(whole.required ?? []), ...(more.required ?? [])] };
    }
    const choices = (whole.oneOf ?? whole.anyOf)?.filter((one) => !isNull(resolve(one, depth + 1)));
    if (choices?.length === 1 && whole.properties === undefined) {
      const { oneOf, anyOf, ...rest } = whole;
      return { ...resolve(choices[0], depth + 1), ...rest };
    }
    return { ...whole, ...(choices === undefined ? {} : { choices }) };
  }

  function readType({ type, properties, items, choices, enum: listed }) {
    if (listed !== undefined) return 'enum';
    if (choices !== undefined && properties === undefined) return 'choice';
    const types = [type ?? []].flat().filter((one) => one !== 'null');
    if (types.length === 1) return types[0];
    if (properties !== undefined) return 'object';
    return items === undefined ? 'json' : 'array';
  }

  /** A part of the form: its element, and `read`, whose undefined leaves the value out. */
  function makePart(raw, value, depth) {
    const part = resolve(raw);
    const kind = readType(part);
    if (depth > mostNested) return makeJson(part, value);
    if (kind === 'object' && Object.keys(part.properties ?? {}).length > 0) return makeObject(part, value, depth);
    if (kind === 'array' && isObject(part.items)) return makeList(part, value, depth);
    if (kind === 'choice') return makeChoice(part, value, depth);
    if (kind === 'enum') return makeSelect(part, value);
    if (kind === 'boolean') return makeSelect({ ...part, enum: [true, false] }, value);
    if (kind === 'number' || kind === 'integer') return makeNumber(part, kind, value);
    return kind === 'string' ? makeText(part, value) : makeJson(part, value);
  }

  function makeSelect({ enum: listed, default: preset }, value) {
    const values = listed.filter((one) => one !== null);
    const otherwise = preset === undefined ? '(left out)' : `(left out: ${JSON.stringify(preset)})`;
    const select = make('select', {}, new Option(otherwise, ''), ...values.map((one, index) => new Option(String(one), index)));
    const place = values.findIndex((one) => JSON.stringify(one) === JSON.stringify(value));
    select.value = place < 0 ? '' : String(place);
    return { element: select, control: select, read: () => (select.value === '' ? undefined : values[Number(select.value)]) };
  }

  function makeNumber({ minimum, maximum, multipleOf, default: preset }, kind, value) {
    const input = make('input', { type: 'number', value: value ?? '', placeholder: preset ?? '' });
    for (const [name, bound] of Object.entries({ min: minimum, max: maximum })) if (bound !== undefined) input[name] = bound;
    input.step = kind === 'integer' ? (multipleOf ?? 1) : 'any';
    return { element: input, control: input, read: () => (input.value === '' ? undefined : Number(input.value)) };
  }

  function makeText({ maxLength = Number.POSITIVE_INFINITY, format, default: preset }, value) {
    const isLong = maxLength > 200 && format === undefined;
    const input = make(isLong ? 'textarea' : 'input', { value: value ?? '', placeholder: preset ?? '', ...(isLong ? { rows: 2 } : {}) });
    // An empty text may be meant: it stays one where the value began as one.
    return { element: input, control: input, read: () => (input.value === '' && value !== '' ? undefined : input.value) };
  }

  function makeJson(_part, value) {
    const input = make('textarea', { rows: 3, value: value === undefined ? '' : JSON.stringify(value, undefined, 2), spellcheck: false, placeholder: 'as JSON' });
    input.className = 'json';
    const read = () => {
      try {
        input.setCustomValidity('');
        return input.value.trim() === '' ? undefined : JSON.parse(input.value);
      } catch {
        input.setCustomValidity('This is not JSON.');
        return undefined;
      }
    };
    return { element: input, control: input, read };
  }

  function makeObject(part, value, depth) {
    const given = isObject(value) ? value : {};
    const required = new Set(part.required);
    const fields = Object.entries(part.properties)
      .map(([name, raw]) => ({ name, raw, isRequired: required.has(name) }))
      .toSorted((left, right) => Number(right.isRequired) - Number(left.isRequired));
    const rows = fields.map(({ name, raw, isRequired }) => ({ name, ...makeField(name, { raw, value: given[name], isRequired }, depth) }));
    const list = make('div', { className: 'form-fields' }, ...rows.filter((_, index) => fields[index].isRequired).map((row) => row.element));
    const optional = rows.filter((_, index) => !fields[index].isRequired).map((row) => row.element);
    if (optional.length > 0) {
      const heading = list.childElementCount === 0 ? `${optional.length} fields` : `${optional.length} optional fields`;
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
    if (part.deprecated === true) label.append(' ', make('strong', { className: 'deprecated', textContent: 'deprecated' }));
    const help = typeof part.description === 'string' ? [make('p', { className: 'soft help', textContent: part.description })] : [];
    if (made.control === undefined)
      return { ...made, element: make('fieldset', {}, label, ...help, made.element) };
    made.control.id = label.htmlFor = `form-${(nextId += 1)}`;
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
        update();
      });
      rows.push(row);
      place.append(row.element);
    };
    for (const one of Array.isArray(value) ? value.slice(0, 100) : []) add(one);
    const more = make('button', { type: 'button', textContent: 'Add an item' });
    more.addEventListener('click', () => {
      add(undefined);
      place.lastElementChild.querySelector('input, select, textarea')?.focus();
      update();
    });
    const read = () => {
      const items = rows.map(({ read }) => read()).filter((one) => one !== undefined);
      return items.length === 0 && !Array.isArray(value) ? undefined : items;
    };
    return { element: make('div', {}, place, more), read };
  }

  function makeChoice({ choices }, value, depth) {
    const parts = choices.map((raw) => resolve(raw));
    const names = parts.map(({ title, const: only, ...one }, index) => title ?? (only === undefined ? `${readType(one)} (${index + 1})` : JSON.stringify(only)));
    const select = make('select', {}, new Option('(left out)', ''), ...names.map((name, index) => new Option(name, index)));
    const place = make('div');
    let inner = { read: () => undefined };
    const show = (given) => {
      const chosen = select.value === '' ? undefined : choices[Number(select.value)];
      const only = chosen === undefined ? undefined : resolve(chosen).const;
      inner = chosen === undefined || only !== undefined ? { element: '', read: () => only } : makePart(chosen, given, depth + 1);
      inner.control?.setAttribute('aria-label', 'value');
      place.replaceChildren(inner.element ?? '');
    };
    const fits = (part) => globalThis.switchyardValidator({ ...part, $defs: schema.$defs ?? {} }).accepts(value);
    const found = value === undefined ? -1 : choices.findIndex(fits);
    select.value = found < 0 ? '' : String(found);
    select.addEventListener('input', () => show(undefined));
    show(value);
    return { element: make('div', {}, select, place), control: select, read: () => inner.read() };
  }

  const simpleName = /^(\s*)"([A-Za-z_$][\w$]*)":/gm;
  const printers = {
    typescript: (value) => JSON.stringify(value, undefined, 2).replace(simpleName, '$1$2:'),
    curl: (value) => `'${JSON.stringify(value).replaceAll("'", "'\\''")}'`,
  };

  function showCode(place, text) {
    place.replaceChildren();
    let end = 0;
    for (const { 0: found, index, groups } of text.matchAll(tokens)) {
      const kind = Object.keys(groups).find((name) => groups[name] !== undefined);
      place.append(text.slice(end, index), make('span', { className: `code-${kind}`, textContent: found }));
      end = index + found.length;
    }
    place.append(text.slice(end));
  }

  const result = make('div', { className: 'checked' });
  result.setAttribute('role', 'status');
  const call = make('pre', { tabIndex: 0 });
  call.setAttribute('aria-label', 'The input');
  const reply = make('div', { className: 'reply' });
  let root;

  function update() {
    const value = root.read() ?? {};
    for (const [language, print] of Object.entries(printers)) {
      const place = document.querySelector(`[data-input="${language}"]`);
      if (place !== null) showCode(place, print(value));
    }
    showCode(call, JSON.stringify(value, undefined, 2));
    const checked = validate(value);
    result.replaceChildren(
      checked.valid
        ? make('p', { className: 'is-good', textContent: 'The input is valid.' })
        : make('ul', { className: 'is-bad' }, ...checked.detail.slice(0, 20).map(({ loc, msg }) => make('li', {}, make('code', { textContent: loc.slice(loc[0] === 'body' ? 1 : 0).join('.') || 'input' }), ` ${msg}`))),
    );
    return { value, isValid: checked.valid };
  }

  /** A sandbox answers a path that no router has. Nothing else is sent before it does, and this request has no credential. */
  async function askWhetherSandbox() {
    const response = await fetch(`${url}/.well-known/switchyard-sandbox`, { credentials: 'omit', redirect: 'error', referrerPolicy: 'no-referrer' });
    return response.ok && (await response.json()).sandbox === true;
  }

  async function send() {
    const say = (text) => reply.replaceChildren(make('p', { textContent: text }));
    const { value } = update();
    say('Asking the address whether it is a sandbox …');
    try {
      if (!(await askWhetherSandbox())) return say(`${url} is no sandbox: nothing was sent to it.`);
    } catch {
      return say(`${url} did not say that it is a sandbox, so nothing was sent. Start one with: switchyard sandbox --cors '${location.origin}'`);
    }
    try {
      const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
      const response = await fetch(`${url}/v2/models/${path}`, { method: 'POST', headers, body: JSON.stringify(value), credentials: 'omit', redirect: 'error' });
      const type = response.headers.get('content-type') ?? '';
      const text = /json|^text\//.test(type) ? await response.text() : `${(await response.blob()).size} bytes of ${type}`;
      const pre = make('pre', { tabIndex: 0 });
      pre.setAttribute('aria-label', 'The reply');
      showCode(pre, /json/.test(type) ? JSON.stringify(JSON.parse(text), undefined, 2).slice(0, 20_000) : text.slice(0, 20_000));
      reply.replaceChildren(make('p', {}, 'The sandbox answered ', make('strong', { textContent: String(response.status) }), '.'), pre);
    } catch (error) {
      say(`The sandbox gave no answer that can be read: ${error.message}`);
    }
  }

  function open() {
    root = makePart({ ...schema, type: 'object' }, JSON.parse(sample), 0);
    const form = make('form', { className: 'form', autocomplete: 'off', noValidate: true }, root.element);
    form.addEventListener('input', update);
    form.addEventListener('submit', (event) => event.preventDefault());
    const beside = make('div', { className: 'beside' }, make('h3', { textContent: 'The input' }), make('div', { className: 'code' }, call), result);
    if (url !== undefined) {
      const button = make('button', { type: 'button', className: 'primary', textContent: 'Send it to the sandbox' });
      button.addEventListener('click', () => void send());
      beside.append(make('p', {}, button), reply);
      reply.setAttribute('role', 'status');
    }
    opener.parentElement.hidden = true;
    document.getElementById('form-place').replaceChildren(make('div', { className: 'form-sides' }, form, beside));
    form.querySelector('input, select, textarea')?.focus({ preventScroll: true });
    update();
  }
  open();
})();
