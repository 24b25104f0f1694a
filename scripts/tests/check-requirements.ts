import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { listReadings, listRules } from '../../contract-tests/src/index.ts';
import { listFaults, listVariants } from '../../sandbox/src/index.ts';
import {
  asObject,
  buildEffectiveSpecs,
  type JsonObject,
  packageRoot,
  type Requirement,
  readChoices,
  readFreedoms,
  readRequirements,
} from '../../specs/src/index.ts';

// Checks that each requirement has a rule, a test or a reason, and that each freedom
// (behaviour that the API text leaves open) has a source and a variant.

/** A part of the project that must meet requirements (the gate: find their violations), and the locations of its proofs. */
type ProjectPart = {
  readonly name: 'gate' | 'server' | 'generator' | 'client';
  /** Requirements that are proved without a test, such as by a rule of the gate. */
  readonly proved: ReadonlySet<string>;
  /** Folders with tests that cite the requirements they prove. */
  readonly tests: readonly string[];
  /** JSON or YAML file: requirement id → why nothing proves it. */
  readonly reasons: string;
};

const root = packageRoot();
const requirements = readRequirements();
const knownIds = new Set(requirements.map(({ id }) => id));
const readings = new Set(readChoices().map(({ id }) => id));
const rules = listRules();
const [faults, variants, freedoms] = [listFaults(), listVariants(), readFreedoms()];
const shortestReason = 40;

/** Reads the reasons by requirement id. Throws if an id has two reasons. */
const readReasons = (file: string): JsonObject => asObject(parse(readFileSync(join(root, file), 'utf8')));

function readTests(folder: string): string {
  const names = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' });
  const tests = names.filter((name) => name.endsWith('.test.ts'));
  return tests.map((name) => readFileSync(join(root, folder, name), 'utf8')).join('\n');
}

/** Lists the requirements that the API documents cite where they meet them. */
function collectDocumentedRequirements(): ReadonlySet<string> {
  const ids = new Set<string>();
  JSON.stringify(buildEffectiveSpecs(), (name, value) => {
    if (name === 'x-requirements') for (const id of [value].flat()) ids.add(String(id));
    return value;
  });
  return ids;
}

const documentedRequirements = collectDocumentedRequirements();

/** Finds unknown requirements and readings, rules and faults that cite no requirement, and static requirements that nothing proves. */
function findCitationProblems(): string[] {
  // A variant need not cite a requirement: it may show behaviour that no requirement forbids.
  const withoutCitation = [...rules, ...faults].filter((one) => one.requirements.length === 0);
  const generatorTests = readTests('generator');
  return [
    ...withoutCitation.map(({ id }) => `${id} cites no requirement`),
    ...[...rules, ...faults, ...variants].flatMap((one) =>
      one.requirements
        .filter((id) => !knownIds.has(id))
        .map((id) => `${one.id} cites ${id}, which is not in the register`),
    ),
    ...rules.flatMap((rule) =>
      listReadings(rule)
        .filter((id) => !readings.has(id))
        .map((id) => `rule ${rule.id} is based on ${id}, which is not in specs/open-points.yaml`),
    ),
    ...requirements
      .filter(
        ({ id, observe }) => observe === 'static' && !documentedRequirements.has(id) && !generatorTests.includes(id),
      )
      .map(({ id }) => `${id} is static, but neither the documents nor a test of the generator cites it`),
  ];
}

/** The gate must check requirements that are visible in exchanges. Any other part must prove those that apply to it. */
function isResponsibleFor(part: ProjectPart['name'], { parties, observe }: Requirement): boolean {
  if (part === 'gate') return observe === 'exchange' || observe === 'scenario';
  return parties.includes(part) || observe === part;
}

/** Counts the proofs of a part. Finds requirements without a proof or a reason, unneeded reasons, and unknown requirements. */
function checkProofs({ name, tests, proved, reasons: file }: ProjectPart): { summary: string; problems: string[] } {
  const cited = new Set(tests.flatMap((folder) => readTests(folder).match(/\b(?:MR|WX)-[A-Z]+-\d+\b/g) ?? []));
  const ownRequirements = requirements.filter((one) => isResponsibleFor(name, one)).map(({ id }) => id);
  const withoutProof = ownRequirements.filter((id) => !proved.has(id) && !cited.has(id));
  const reasons = readReasons(file);
  const unproven = withoutProof.filter((id) => reasons[id] === undefined);
  const problems = [
    ...[...cited].filter((id) => !knownIds.has(id)).map((id) => `a test cites ${id}, which is not in the register`),
    ...unproven.map((id) => `${id} isResponsibleFor the ${name}, but nothing shows it and ${file} has no reason`),
    ...Object.keys(reasons)
      .filter((id) => !withoutProof.includes(id))
      .map((id) => `${file} explains ${id}, which needs no reason`),
    ...Object.entries(reasons)
      .filter(([, reason]) => String(reason).length < shortestReason)
      .map(([id]) => `${file} gives too short a reason for ${id}`),
  ];
  const counts = `${ownRequirements.length - withoutProof.length} proved, ${withoutProof.length - unproven.length} with a reason`;
  return { summary: `${name}: ${ownRequirements.length} requirements, ${counts}`, problems };
}

/** Finds freedoms without a source or variant, unused variants, and server requirements with neither a freedom nor a reason. */
function findFreedomProblems(): readonly string[] {
  const usableFreedoms = freedoms.filter(({ why }) => why === undefined);
  const usedVariants = usableFreedoms.flatMap(({ variants = [] }) => variants);
  const listIds = (rows: typeof freedoms) => rows.flatMap((row) => row.requirements.split(/\s+/));
  const inFreedoms = new Set(listIds(usableFreedoms));
  const inReasons = new Set(listIds(freedoms.filter(({ why }) => why !== undefined)));
  const servers = requirements.filter(({ parties }) => parties.includes('server'));
  const names = variants.map(({ id }) => id);
  return [
    ...usableFreedoms
      .filter(({ text = '', reading = '' }) => (text === '') === !readings.has(reading))
      .map(({ id }) => `${id} needs either a quotation of the API text or a known reading`),
    ...usableFreedoms
      .filter(({ variants = [] }) => variants.length === 0)
      .map(({ id }) => `no variant uses the freedom ${id}`),
    ...usedVariants.filter((id) => !names.includes(id)).map((id) => `a freedom lists ${id}, which is not a variant`),
    ...names.filter((id) => !usedVariants.includes(id)).map((id) => `the variant ${id} belongs to no freedom`),
    ...listIds(freedoms)
      .filter((id) => !knownIds.has(id))
      .map((id) => `a freedom cites ${id}, which is not in the register of requirements`),
    ...servers
      .filter(({ id }) => inFreedoms.has(id) === inReasons.has(id))
      .map(({ id }) => `${id} needs either a freedom or a reason why it has none`),
  ];
}

const unobservable = 'contract-tests/unobservable.yaml';
const checked = new Set(rules.flatMap((rule) => rule.requirements));
// The documents meet static requirements. The sandbox serves them, and the types of operations are made from them.
const inDocuments = requirements.filter(({ id, observe }) => observe === 'static' && documentedRequirements.has(id));
const provedByDocuments = new Set(inDocuments.map(({ id }) => id));
const provedForServers = new Set([...checked, ...provedByDocuments, ...Object.keys(readReasons(unobservable))]);
const none = new Set<string>();
const proofs = [
  checkProofs({ name: 'gate', proved: checked, tests: [], reasons: unobservable }),
  checkProofs({
    name: 'server',
    proved: provedForServers,
    tests: ['sandbox', 'specs'],
    reasons: 'sandbox/unproven.json',
  }),
  checkProofs({
    name: 'generator',
    proved: provedByDocuments,
    tests: ['generator', 'runtime/src'],
    reasons: 'generator/unproven.json',
  }),
  checkProofs({
    name: 'client',
    proved: none,
    tests: ['runtime/tests', 'contract-tests/tests/client-chaos'],
    reasons: 'runtime/unproven.json',
  }),
];
const problems = [...findCitationProblems(), ...proofs.flatMap((proof) => proof.problems), ...findFreedomProblems()];
const counts = `${requirements.length} in the register, ${rules.length} rules, ${faults.length} faults, ${freedoms.length} freedoms`;
for (const line of [...proofs.map(({ summary }) => summary), ...problems]) process.stdout.write(`${line}\n`);
process.stdout.write(`requirements: ${counts}; ${problems.length} problems\n`);
process.exitCode = problems.length === 0 ? 0 : 1;
