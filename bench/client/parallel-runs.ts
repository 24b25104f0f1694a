import { createCallers } from './callers.ts';

// A child process of the bench: runs many calls of one client in parallel, and prints their processor time in ms.
const [, , url = '', name = '', count = '0'] = process.argv;
const caller = createCallers(url).find((one) => one.name === name);
if (caller === undefined) throw new Error(`no client is called ${name}`);
for (let warmUp = 0; warmUp < 200; warmUp++) await caller.call();
const started = process.cpuUsage();
await Promise.all(Array.from({ length: Number(count) }, () => caller.call()));
const { user, system } = process.cpuUsage(started);
process.stdout.write(`${(user + system) / 1000}\n`);
process.exit();
