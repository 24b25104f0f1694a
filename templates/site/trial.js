// Sends the input of a form to a sandbox, and to nothing else.
const trial = document.getElementById('open-form').dataset;

/** A sandbox answers a path that no router has. Nothing else is sent before it does, and this request has no credential. */
async function askWhetherSandbox() {
  const response = await fetch(`${trial.url}/.well-known/switchyard-sandbox`, {
    credentials: 'omit',
    redirect: 'error',
    referrerPolicy: 'no-referrer',
  });
  return response.ok && (await response.json()).sandbox === true;
}

async function sendTrial(value, { reply, showCode }) {
  const say = (text) => reply.replaceChildren(make('p', { textContent: text }));
  say('Asking the address whether it is a sandbox …');
  try {
    if (!(await askWhetherSandbox())) return say(`${trial.url} is no sandbox: nothing was sent to it.`);
  } catch {
    return say(
      `${trial.url} did not say that it is a sandbox, so nothing was sent. Start one with: npx openapi-switchyard sandbox --cors '${location.origin}'`,
    );
  }
  try {
    const headers = { 'X-API-Key': trial.key, 'Content-Type': 'application/json' };
    const response = await fetch(`${trial.url}/v2/models/${trial.path}`, {
      method: 'POST',
      headers,
      body: JSON.stringify(value),
      credentials: 'omit',
      redirect: 'error',
    });
    const type = response.headers.get('content-type') ?? '';
    const text = /json|^text\//.test(type) ? await response.text() : `${(await response.blob()).size} bytes of ${type}`;
    const pre = make('pre', { tabIndex: 0 });
    pre.setAttribute('aria-label', 'The reply');
    showCode(
      pre,
      /json/.test(type) ? JSON.stringify(JSON.parse(text), undefined, 2).slice(0, 20_000) : text.slice(0, 20_000),
    );
    reply.replaceChildren(
      make('p', {}, 'The sandbox answered ', make('strong', { textContent: String(response.status) }), '.'),
      pre,
    );
  } catch (error) {
    say(`The sandbox gave no answer that can be read: ${error.message}`);
  }
}

globalThis.switchyardTrial = sendTrial;
