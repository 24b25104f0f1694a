import { checkRandomPlans } from './random-plans.ts';

/** `node run.ts`: 200 random plans against sandboxes, some of them broken; exit code 1 when one got more runs than its budget. */
const count = Number(process.env['SWITCHYARD_PLANS'] ?? 200);
const seed = Number(process.env['SWITCHYARD_SEED'] ?? Date.now() % 100_000);
const exceeded = await checkRandomPlans({ count, seed });
process.stdout.write(`${count} random plans, seed ${seed}: ${exceeded.length} exceeded their budget\n`);
for (const { plan, admitted } of exceeded) process.stdout.write(`${admitted} runs: ${plan}\n`);
process.exitCode = exceeded.length === 0 ? 0 : 1;
