import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { listRules } from '../contract-tests/src/index.ts';
import { listFaults, listVariants } from '../sandbox/src/index.ts';
import { packageRoot, readRequirements } from '../specs/src/index.ts';
import {
  findProofProblems,
  type Party,
  readReasons,
  renderTraceability,
  summariseProofs,
} from './requirement-proofs.ts';

// Checks that each requirement has a rule, a test or a reason; `--table` also writes the table of all three.
const requirements = readRequirements();
const known = new Set(requirements.map(({ id }) => id));
const specTests = join(packageRoot(), 'specs');
const staticTests = readdirSync(specTests, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.includes('static-requirements') && name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(specTests, name), 'utf8'))
  .join('\n');

/** Citations of unknown requirements, rules and faults that cite none, and static requirements without a test. */
function findCitationProblems(): string[] {
  // A variant may cite nothing: it may show that no requirement forbids it.
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
      .map(({ id }) => `${id} is static, but no test of static requirements below specs/ names it`),
  ];
}

const unobservable = 'contract-tests/unobservable.yaml';
const reasons = readReasons(join(packageRoot(), unobservable));
const checked = new Set(listRules().flatMap((rule) => rule.requirements));
const parties: readonly Party[] = [
  { name: 'gate', shown: checked, tests: [], reasons: unobservable },
  {
    name: 'server',
    shown: new Set([...checked, ...Object.keys(reasons)]),
    tests: ['sandbox', 'specs'],
    reasons: 'sandbox/unproven.json',
  },
  { name: 'generator', shown: new Set(), tests: ['generator', 'runtime/src'], reasons: 'generator/unproven.json' },
  {
    name: 'client',
    shown: new Set(),
    tests: ['runtime/tests', 'contract-tests/tests/client-chaos'],
    reasons: 'runtime/unproven.json',
  },
];

const problems = [
  ...findCitationProblems(),
  ...parties.flatMap((party) => findProofProblems(party, requirements, packageRoot())),
];
if (process.argv.includes('--table')) {
  const file = join(packageRoot(), '.switchyard', 'requirements.md');
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, renderTraceability({ rules: listRules(), faults: listFaults(), requirements, reasons }));
  process.stdout.write(`wrote ${file}\n`);
}
for (const party of parties) process.stdout.write(`${summariseProofs(party, requirements, packageRoot())}\n`);
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(
  `requirements: ${requirements.length} in the register, ${listRules().length} rules, ${listFaults().length} faults; ${problems.length} problems\n`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
