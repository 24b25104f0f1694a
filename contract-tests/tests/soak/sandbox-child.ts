import { createSandbox, listen } from '../../../sandbox/src/index.ts';

/** `node sandbox-child.ts <port> <db>`: a sandbox that keeps its state in a file, until it is killed. */
const [port, db] = process.argv.slice(2);
const sandbox = createSandbox({
  ...(db === undefined ? {} : { db }),
  timings: { holdMs: 150, waitingMs: 120, runningMs: 120, cancellingMs: 60 },
});
const server = await listen(sandbox, { port: Number(port ?? '0') });
process.send?.({ url: server.url });
