// The form of a model: it fills the calls of the page, and checks the input with the validator that packages ship.
const place = document.getElementById('open-form');
const tokens = new RegExp(place.dataset.tokens, 'g');
const { validate } = globalThis.switchyardValidator(formSchema);
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
  const failures = (checked.detail ?? []).slice(0, 20).map(({ loc, msg }) => {
    const member = loc.slice(loc[0] === 'body' ? 1 : 0).join('.') || 'input';
    return make('li', {}, make('code', { textContent: member }), ` ${msg}`);
  });
  const good = make('p', { className: 'is-good', textContent: 'The input is valid.' });
  result.replaceChildren(checked.valid ? good : make('ul', { className: 'is-bad' }, ...failures));
  return value;
}

function openForm() {
  root = makePart({ ...formSchema, type: 'object' }, JSON.parse(place.dataset.sample), 0);
  const form = make('form', { className: 'form', autocomplete: 'off', noValidate: true }, root.element);
  form.addEventListener('input', update);
  form.addEventListener('submit', (event) => event.preventDefault());
  const beside = make(
    'div',
    { className: 'beside' },
    make('h3', { textContent: 'The input' }),
    make('div', { className: 'code' }, call),
    result,
  );
  if (url !== undefined) {
    const button = make('button', {
      type: 'button',
      className: 'primary',
      textContent: 'Send it to the sandbox',
    });
    button.addEventListener('click', () => void globalThis.switchyardTrial(update(), { reply, showCode }));
    beside.append(make('p', {}, button), reply);
    reply.setAttribute('role', 'status');
  }
  place.parentElement.hidden = true;
  document.getElementById('form-place').replaceChildren(make('div', { className: 'form-sides' }, form, beside));
  form.querySelector('input, select, textarea')?.focus({ preventScroll: true });
  update();
}

openForm();
