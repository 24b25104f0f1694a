import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { sandboxCredentials } from '../../sandbox/src/index.ts';
import { buildEffectiveSpecs, compileSchema, packageRoot } from '../../specs/src/index.ts';
import { allRules } from '../src/conform.ts';
import { type ConformanceReport, exitCodeOf, parseResult, type RuleResult, renderFiles } from '../src/index.ts';
import { checkSandbox, passiveFamilies, targetAt } from './sandbox-under-test.ts';

type Setting = {
  brand?: string;
  queueStatuses?: readonly [string, string];
  baseUrl?: string;
  inner?: string;
  seed?: number;
};

/** Checks a healthy sandbox in process with all rules. With `inner`, a proxy in front of it rewrites the origin and the path prefix. */
async function check({ brand = 'Service', queueStatuses, baseUrl, inner, seed }: Setting): Promise<ConformanceReport> {
  const { report } = await checkSandbox({
    specs: buildEffectiveSpecs({ brand, ...(queueStatuses && { queueStatuses }) }),
    evidence: 'all',
    ...(seed !== undefined && { seed }),
    ...(baseUrl !== undefined && { target: () => targetAt(baseUrl) }),
    around: (handle) => (request) => {
      const url = new URL(`${request.origin}${request.target}`.replace(baseUrl ?? '', inner ?? ''));
      return handle({ ...request, origin: url.origin, target: `${url.pathname}${url.search}` });
    },
  });
  return report;
}

function listProblems(report: ConformanceReport): unknown {
  // A passive rule may be about responses that a healthy target never sends.
  const isFine = ({ family, outcome }: RuleResult): boolean =>
    ['passed', 'observed'].includes(outcome.kind) ||
    (outcome.kind === 'not-applicable' && passiveFamilies.includes(family));
  return report.results.filter((result) => !isFine(result)).map(({ ruleId, outcome }) => [ruleId, outcome]);
}

/** Settings that deployments may choose. URLs in responses have the address of the sandbox behind the proxy. */
const otherwiseDeployed: Setting = {
  brand: 'Acme-Labs',
  queueStatuses: ['Waiting', 'being run'],
  baseUrl: 'http://proxy.test:81/gate',
  inner: 'http://sandbox.test',
  seed: 1,
};
let plain: ConformanceReport;
let proxied: ConformanceReport;
beforeAll(async () => {
  plain = await check({});
  proxied = await check(otherwiseDeployed);
});

test('on a healthy sandbox, exactly the rules that are required of a sandbox pass or are observed', () => {
  expect(listProblems(plain)).toEqual([]);
  const shown = plain.results.filter(({ outcome }) => outcome.kind === 'passed' || outcome.kind === 'observed');
  const required = allRules.filter(({ requiredOf }) => requiredOf.includes('sandbox')).map(({ id }) => id);
  expect(shown.map(({ ruleId }) => ruleId).filter((id) => !required.includes(id))).toEqual([]);
  expect(plain.missingRequired).toEqual([]);
  expect(exitCodeOf(plain)).toBe(0);
});

// The seed also makes values and the order of scenarios random.
test('a healthy sandbox gets the same outcomes with a different brand, different status names and a proxy in front of it', () => {
  expect(listProblems(proxied)).toEqual([]);
  const listKinds = ({ results }: ConformanceReport) =>
    results.map(({ ruleId, outcome }) => `${ruleId} ${outcome.kind}`);
  const differing = listKinds(proxied).filter((one) => !listKinds(plain).includes(one));
  expect(differing).toEqual([]);
});

test('a check requests URLs from responses through the proxy in front of the target, and records the original URLs', () => {
  const exchanges = proxied.results.flatMap(({ evidence }) => evidence);
  expect(exchanges.filter(({ request }) => !request.url.startsWith('http://proxy.test:81/gate/'))).toEqual([]);
  expect(exchanges.some(({ rebasedFrom }) => rebasedFrom?.startsWith('http://sandbox.test/'))).toBe(true);
});

test('the report of a whole check matches its schema, is small, and contains no credential', async () => {
  const files = await renderFiles(plain, targetAt('http://sandbox.test'));
  const text = files['result.json'] ?? '';
  expect(text.length).toBeLessThan(1_000_000);
  const { results, ...head } = parseResult(text, 'result.json');
  const read = results.map(({ exchanges, ...result }) => {
    const evidence = JSON.parse(files[`exchanges/${result.ruleId}.json`] ?? '[]');
    expect(evidence.length).toBe(exchanges);
    return { ...result, evidence };
  });
  // Only the report has whole long texts, and machine-readable reasons why rules did not run.
  const toComparable = (value: unknown) =>
    JSON.parse(JSON.stringify(value), (name, member) =>
      ['isCut', 'why'].includes(name)
        ? undefined
        : name === 'text' && typeof member === 'string'
          ? member.slice(0, 1_000)
          : member,
    );
  expect(toComparable({ ...head, results: read })).toEqual(toComparable(plain));
  const schema = JSON.parse(readFileSync(join(packageRoot(), 'contract-tests/result.schema.json'), 'utf8'));
  const listViolations = compileSchema({ $ref: '#/$defs/exchange' }, { root: schema });
  const exchanges = plain.results.flatMap(({ evidence }) => evidence);
  expect([...new Set(exchanges)].flatMap((exchange) => listViolations(exchange))).toEqual([]);
  const values = [...Object.values(sandboxCredentials.router), ...Object.values(sandboxCredentials.workflow)];
  for (const file of Object.values(files)) expect(values.filter((value) => file.includes(value))).toEqual([]);
});
