import { createSandbox, listen } from '../../../sandbox/src/index.ts';
import { buildEffectiveSpecs, defaultSpecSettings } from '../../../specs/src/index.ts';

/** `node sandbox-child.ts <port> <db>`: a sandbox that keeps its state in a file, until it is killed. */
const [port, db] = process.argv.slice(2);
const sandbox = createSandbox({
  specs: await buildEffectiveSpecs(defaultSpecSettings),
  ...(db === undefined ? {} : { db }),
  timings: { holdMs: 150, waitingMs: 120, runningMs: 120, cancellingMs: 60 },
});
const server = await listen(sandbox, { port: Number(port ?? '0'), host: '127.0.0.1' });
process.send?.({ url: server.url });
