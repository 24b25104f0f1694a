import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, it } from 'vitest';

const imports = `import { removeTimeouts } from ${JSON.stringify(join(import.meta.dirname, '../src/http/patient-fetch.ts'))};`;
const runProgram = async (text: string): Promise<string> => {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', imports + text]);
  return stdout.trim();
};

/** Returns a program in which Node's `fetch` times out after half a second. */
const program = (own: object): string => `
  const own = ${JSON.stringify(own)};
  import { createServer } from 'node:http';
  const place = Symbol.for('undici.globalDispatcher.1');
  new Request('http://127.0.0.1/'); // makes Node set up its dispatcher
  const { constructor: Agent } = globalThis[place];
  for (const one of [place, Symbol.for('undici.globalDispatcher.2')])
    if (globalThis[one]) globalThis[one] = new globalThis[one].constructor({ headersTimeout: 500, ...own });
  const server = createServer((_, response) => {
    setTimeout(() => response.write('late'), 1200);
    setTimeout(() => response.end(' body'), 2400);
  });
  server.listen(0, '127.0.0.1', async () => {
    const url = 'http://127.0.0.1:' + server.address().port;
    const ends = (fetch) => fetch(url, {}).then((response) => response.text()).catch(({ cause }) => cause.code);
    console.log(JSON.stringify(await Promise.all([ends(fetch), ends((at) => fetch(at, removeTimeouts()))])));
    server.close();
    server.closeAllConnections();
  });`;

it('waits longer than Node’s timeouts for headers and for a body', async () => {
  expect(JSON.parse(await runProgram(program({})))).toEqual(['UND_ERR_HEADERS_TIMEOUT', 'late body']);
});

it('keeps the body timeout that the program has set for its dispatcher', async () => {
  const ends = JSON.parse(await runProgram(program({ bodyTimeout: 500 })));
  expect(ends).toEqual(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT']);
});

/** In this program a dispatcher, such as a mock or a proxy, has replaced that of Node. */
const withDispatcher = `
  new Request('https://router.example/'); // makes Node set up its dispatcher
  const places = ['undici.globalDispatcher.2', 'undici.globalDispatcher.1'].map((name) => Symbol.for(name));
  const seen = [];
  class Own {
    #limits = 'kept';
    dispatch({ origin, headersTimeout, bodyTimeout }, handler) {
      seen.push({ origin, headersTimeout, bodyTimeout, limits: this.#limits });
      throw new Error('answered by the mock');
    }
  }
  for (const place of places) globalThis[place] = new Own();
  const failure = await fetch('https://router.example/', removeTimeouts()).catch(({ cause }) => cause.message);
  for (const place of places) globalThis[place] = undefined;
  globalThis.fetch = async (...options) => seen.push(options[1]);
  await fetch('https://router.example/', removeTimeouts());
  console.log(JSON.stringify([failure, ...seen]));`;

it('uses the dispatcher that the program has set, and does not replace it', async () => {
  const limits = { origin: 'https://router.example', headersTimeout: 0, bodyTimeout: 0, limits: 'kept' };
  expect(JSON.parse(await runProgram(withDispatcher))).toEqual(['answered by the mock', limits, {}]);
});

/** In this program a package has set a dispatcher of the other major version next to Node's own. */
const withOtherGeneration = `
  import { createServer } from 'node:http';
  new Request('http://127.0.0.1/'); // makes Node set up its dispatcher
  const isNew = Number.parseInt(process.versions.undici) >= 8;
  const other = Symbol.for('undici.globalDispatcher.' + (isNew ? 1 : 2));
  Object.defineProperty(globalThis, other, { value: { dispatch() { throw new Error('another protocol'); } } });
  const server = createServer((_, response) => response.end('own')).listen(0, '127.0.0.1', async () => {
    const url = 'http://127.0.0.1:' + server.address().port;
    console.log(await fetch(url, removeTimeouts()).then((response) => response.text(), ({ cause }) => cause.message));
    server.close();
    server.closeAllConnections();
  });`;

it('ignores a dispatcher whose version differs from that of Node’s own', async () => {
  expect(await runProgram(withOtherGeneration)).toBe('own');
});

/** The first use of the platform's `fetch` in this program is a run. Node sets up its dispatcher only then. */
const withFirstCall = `
  globalThis.fetch = async (_, { dispatcher }) => console.log(typeof dispatcher?.dispatch);
  await fetch('https://router.example/', removeTimeouts());`;

it('removes the timeouts even for the first call of a program', async () => {
  expect(await runProgram(withFirstCall)).toBe('function');
});
