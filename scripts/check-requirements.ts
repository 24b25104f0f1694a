import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listRules, readUnobservable, renderTraceability, traceabilityProblems } from '../contract-tests/src/index.ts';
import { listFaults, listVariants } from '../sandbox/src/index.ts';
import { packageRoot, readRequirements } from '../specs/src/index.ts';
import { type Party, proofProblems } from './party-proofs.ts';
import { traced } from './requirement-table.ts';

const requirements = readRequirements();
const known = new Set(requirements.map(({ id }) => id));
const folder = join(packageRoot(), 'specs', 'tests', 'static-requirements');
const staticTests = readdirSync(folder)
  .filter((name) => name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(folder, name), 'utf8'))
  .join('\n');

/** Citations of requirements that do not exist, and requirements readable from the documents without a test that reads them. */
function findProblems(): string[] {
  // A variant may cite nothing: what it shows may be that no sentence forbids it.
  const mustCite = [
    ...listRules().map(({ id, requirements }) => ({ what: `rule ${id}`, requirements })),
    ...listFaults().map(({ id, requirements }) => ({ what: `fault ${id}`, requirements })),
  ];
  const cited = [
    ...mustCite,
    ...listVariants().map(({ id, requirements }) => ({ what: `variant ${id}`, requirements })),
  ];
  return [
    ...mustCite
      .filter(({ requirements }) => requirements.length === 0)
      .map(({ what }) => `${what} cites no requirement`),
    ...cited.flatMap(({ what, requirements }) =>
      requirements.filter((id) => !known.has(id)).map((id) => `${what} cites ${id}, which is not in the register`),
    ),
    ...requirements
      .filter(({ id, observe }) => observe === 'static' && !staticTests.includes(id))
      .map(
        ({ id }) =>
          `${id} can be read from the documents, but no test in specs/tests/static-requirements/*.test.ts names it`,
      ),
  ];
}

/** The committed table must be the one that register, rules and faults make. */
function tableProblems(): string[] {
  const file = join(packageRoot(), 'docs', 'requirements.md');
  const current = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return current === renderTraceability(traced())
    ? []
    : ['docs/requirements.md differs: run npm run requirements and commit the result'];
}

/** A rule, a test or a reason for each; what the documents say of a server is read by tests of the specifications. */
const parties: readonly Party[] = [
  {
    name: 'server',
    shown: new Set([...listRules().flatMap((rule) => rule.requirements), ...readUnobservable().map(({ id }) => id)]),
    tests: ['sandbox', 'specs'],
    reasons: 'sandbox/unproven.json',
  },
  { name: 'generator', shown: new Set(), tests: ['generator', 'runtime'], reasons: 'generator/unproven.json' },
];

const problems = [
  ...findProblems(),
  ...traceabilityProblems(traced()),
  ...parties.flatMap((party) => proofProblems(party, requirements, packageRoot())),
  ...tableProblems(),
];
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(
  `requirements: ${requirements.length} in the register, ${listRules().length} rules, ${listFaults().length} faults; ${problems.length} problems\n`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
