import { soak } from './soak.ts';

/** `node run.ts [seed] [seconds] [clients]`: exits with 1 when anything was lost, or billed twice. */
const [seed = Math.floor(Math.random() * 2 ** 31), seconds = 60, clients = 20] = process.argv.slice(2).map(Number);
process.stdout.write(`soak: seed ${seed}, ${seconds} s, ${clients} clients\n`);
const { problems, ...figures } = await soak({ seed, seconds, clients });
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${JSON.stringify(figures)}\n${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
