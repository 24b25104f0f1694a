// The form of a model: it fills the calls of the page, and checks the input with the validator that packages ship.
const place = document.getElementById('open-form');
const parts = globalThis.switchyardParts;
const schema = JSON.parse(place.dataset.schema);
const tokens = new RegExp(place.dataset.tokens, 'g');
const { validate } = globalThis.switchyardValidator(schema);
const { url } = place.dataset;

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
    place.append(text.slice(end, index), parts.make('span', { className: `code-${kind}`, textContent: found }));
    end = index + found.length;
  }
  place.append(text.slice(end));
}

const result = parts.make('div', { className: 'checked' });
result.setAttribute('role', 'status');
const call = parts.make('pre', { tabIndex: 0 });
call.setAttribute('aria-label', 'The input');
const reply = parts.make('div', { className: 'reply' });
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
      ? parts.make('p', { className: 'is-good', textContent: 'The input is valid.' })
      : parts.make(
          'ul',
          { className: 'is-bad' },
          ...checked.detail
            .slice(0, 20)
            .map(({ loc, msg }) =>
              parts.make(
                'li',
                {},
                parts.make('code', { textContent: loc.slice(loc[0] === 'body' ? 1 : 0).join('.') || 'input' }),
                ` ${msg}`,
              ),
            ),
        ),
  );
  return { value, isValid: checked.valid };
}

function openForm() {
  root = parts.makePart({ ...schema, type: 'object' }, JSON.parse(place.dataset.sample), 0);
  const form = parts.make('form', { className: 'form', autocomplete: 'off', noValidate: true }, root.element);
  form.addEventListener('input', update);
  form.addEventListener('submit', (event) => event.preventDefault());
  const beside = parts.make(
    'div',
    { className: 'beside' },
    parts.make('h3', { textContent: 'The input' }),
    parts.make('div', { className: 'code' }, call),
    result,
  );
  if (url !== undefined) {
    const button = parts.make('button', {
      type: 'button',
      className: 'primary',
      textContent: 'Send it to the sandbox',
    });
    button.addEventListener('click', () => void globalThis.switchyardTrial(update().value, { reply, showCode }));
    beside.append(parts.make('p', {}, button), reply);
    reply.setAttribute('role', 'status');
  }
  place.parentElement.hidden = true;
  document.getElementById('form-place').replaceChildren(parts.make('div', { className: 'form-sides' }, form, beside));
  form.querySelector('input, select, textarea')?.focus({ preventScroll: true });
  update();
}

openForm();
