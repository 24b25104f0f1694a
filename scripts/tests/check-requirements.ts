import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listReadings, listRules } from '../../contract-tests/src/index.ts';
import { listFaults, listVariants } from '../../sandbox/src/index.ts';
import { packageRoot, readChoices, readFreedoms, readRequirements } from '../../specs/src/index.ts';
import { findFreedomProblems } from './freedom-problems.ts';
import { checkProofs, type Party, readReasons } from './requirement-proofs.ts';

// Checks that each requirement has a rule, a test or a reason.
const requirements = readRequirements();
const known = new Set(requirements.map(({ id }) => id));
const specTests = join(packageRoot(), 'specs');
const staticTests = readdirSync(specTests, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.includes('static-requirements') && name.endsWith('.test.ts'))
  .map((name) => readFileSync(join(specTests, name), 'utf8'))
  .join('\n');

const assumed = new Set(readChoices().map(({ id }) => id));

/** Finds unknown requirements and readings, rules and faults that cite no requirement, and static requirements without a test. */
function findCitationProblems(): string[] {
  const rows = (kind: string, entries: readonly { readonly id: string; readonly requirements: readonly string[] }[]) =>
    entries.map(({ id, requirements }) => ({ what: `${kind} ${id}`, requirements }));
  const mustCite = [...rows('rule', listRules()), ...rows('fault', listFaults())];
  // A variant need not cite a requirement: it may show behaviour that no requirement forbids.
  const cited = [...mustCite, ...rows('variant', listVariants())];
  return [
    ...mustCite
      .filter(({ requirements }) => requirements.length === 0)
      .map(({ what }) => `${what} cites no requirement`),
    ...cited.flatMap(({ what, requirements }) =>
      requirements.filter((id) => !known.has(id)).map((id) => `${what} cites ${id}, which is not in the register`),
    ),
    ...listRules().flatMap((rule) =>
      listReadings(rule)
        .filter((id) => !assumed.has(id))
        .map((id) => `rule ${rule.id} is based on ${id}, which is not in specs/open-points.yaml`),
    ),
    ...requirements
      .filter(({ id, observe }) => observe === 'static' && !staticTests.includes(id))
      .map(({ id }) => `${id} is static, but no static-requirements test in specs/ mentions it`),
  ];
}

const unobservable = 'contract-tests/unobservable.yaml';
const checked = new Set(listRules().flatMap((rule) => rule.requirements));
const explained = Object.keys(readReasons(join(packageRoot(), unobservable)));
const none = new Set<string>();
const parties: readonly Party[] = [
  { name: 'gate', shown: checked, tests: [], reasons: unobservable },
  {
    name: 'server',
    shown: new Set([...checked, ...explained]),
    tests: ['sandbox', 'specs'],
    reasons: 'sandbox/unproven.json',
  },
  { name: 'generator', shown: none, tests: ['generator', 'runtime/src'], reasons: 'generator/unproven.json' },
  {
    name: 'client',
    shown: none,
    tests: ['runtime/tests', 'contract-tests/tests/client-chaos'],
    reasons: 'runtime/unproven.json',
  },
];

const proofs = parties.map((party) => checkProofs(party, requirements, packageRoot()));
const freedoms = readFreedoms();
const problems = [
  ...findCitationProblems(),
  ...proofs.flatMap((party) => party.problems),
  ...findFreedomProblems(freedoms, {
    requirements,
    assumptions: readChoices().map(({ id }) => id),
    variants: listVariants().map(({ id }) => id),
  }),
];
const counts = `${requirements.length} in the register, ${listRules().length} rules, ${listFaults().length} faults, ${freedoms.length} freedoms`;
process.stdout.write(
  [...proofs.map(({ summary }) => summary), ...problems, `requirements: ${counts}; ${problems.length} problems\n`].join(
    '\n',
  ),
);
process.exitCode = problems.length === 0 ? 0 : 1;
