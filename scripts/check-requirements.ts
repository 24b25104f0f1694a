import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { listRules } from '../contract-tests/src/index.ts';
import { listFaults, listVariants } from '../sandbox/src/index.ts';
import { packageRoot, readRequirements } from '../specs/src/index.ts';

const requirements = readRequirements();
const known = new Set(requirements.map(({ id }) => id));
const folder = join(packageRoot(), 'specs', 'src');
const staticTests = readdirSync(folder)
  .filter((name) => /^static-requirements.*\.test\.ts$/.test(name))
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
          `${id} can be read from the documents, but no test in specs/src/static-requirements*.test.ts names it`,
      ),
  ];
}

const problems = findProblems();
for (const problem of problems) process.stdout.write(`${problem}\n`);
const judged = new Set(listRules().flatMap((rule) => rule.requirements));
const observable = requirements.filter(({ observe }) => observe === 'exchange' || observe === 'scenario');
process.stdout.write(
  `requirements: ${requirements.length} in the register; ${observable.filter(({ id }) => judged.has(id)).length} of ${observable.length} observable ones cited by a rule; ${problems.length} problems\n`,
);
process.exitCode = problems.length === 0 ? 0 : 1;
