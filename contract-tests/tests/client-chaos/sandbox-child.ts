import { createSandbox, listen } from '../../../sandbox/src/index.ts';

/** `node sandbox-child.ts PORT DB` serves a sandbox that keeps its state in the file DB, until it is killed. */
const [port = '0', db = ''] = process.argv.slice(2);
const sandbox = createSandbox({
  db,
  timings: { providerMs: 100, holdMs: 150, waitingMs: 120, runningMs: 120 },
  limits: { inFlight: undefined, callsPerWindow: undefined },
});
const server = await listen(sandbox, { port: Number(port) });
process.send?.(server.url);
