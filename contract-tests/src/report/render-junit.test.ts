import { expect, test } from 'vitest';
import { convert } from 'xmlbuilder2';
import { createReport, createResult, failed, passed, unchecked } from './fixtures/example-report.ts';
import { renderJunit } from './render-junit.ts';

/** Allowed children in order. `?`: at most once, `*`: any number of times, otherwise exactly once. */
type Declared = {
  readonly attributes: Readonly<Record<string, RegExp>>;
  readonly children: readonly string[];
  readonly optional?: readonly string[];
};

const number = /^\d+$/;
const decimal = /^\d+(?:\.\d+)?$/;
const token = /^\S(?:.*\S)?$/;
const any = /.*/s;

// The relevant rules of Ant's JUnit.xsd (Apache License 2.0). Jenkins accepts every file that they allow.
const ant: Readonly<Record<string, Declared>> = {
  testsuites: { attributes: {}, children: ['testsuite*'] },
  testsuite: {
    attributes: {
      name: token,
      package: token,
      id: number,
      timestamp: /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
      hostname: token,
      tests: number,
      failures: number,
      errors: number,
      time: decimal,
      skipped: number,
    },
    optional: ['skipped'],
    children: ['properties', 'testcase*', 'system-out', 'system-err'],
  },
  properties: { attributes: {}, children: ['property*'] },
  property: { attributes: { name: token, value: any }, children: [] },
  testcase: { attributes: { name: token, classname: token, time: decimal }, children: ['skipped|error|failure?'] },
  skipped: { attributes: { message: any }, optional: ['message'], children: [] },
  error: { attributes: { message: any, type: any }, optional: ['message'], children: [] },
  failure: { attributes: { message: any, type: any }, optional: ['message'], children: [] },
  'system-out': { attributes: {}, children: [] },
  'system-err': { attributes: {}, children: [] },
};

type Node = Readonly<Record<string, unknown>>;

function listProblems(node: Node, name: string): readonly string[] {
  const declared = ant[name];
  if (declared === undefined) return [`there is no element ${name}`];
  const { attributes, children, optional = [] } = declared;
  const given = new Map(
    Object.entries(node).flatMap(([key, value]) => (key.startsWith('@') ? [[key.slice(1), String(value)]] : [])),
  );
  const below = (Array.isArray(node['#']) ? node['#'] : [node]).flatMap((one: object | null) =>
    Object.entries(one ?? {}).flatMap(([key, value]) =>
      /^[@#]/.test(key) ? [] : [value].flat().map((child) => [key, typeof child === 'object' ? child : {}] as const),
    ),
  );
  const pattern = children
    .map((child) => `(?:(?:${child.replace(/[*?]$/, '')}) )${/[*?]$/.exec(child)?.[0] ?? ''}`)
    .join('');
  const sequence = below.map(([key]) => `${key} `).join('');
  return [
    ...[...given].flatMap(([key, value]) => (attributes[key]?.test(value) ? [] : [`${name} ${key}="${value}"`])),
    ...Object.keys(attributes).flatMap((key) =>
      given.has(key) || optional.includes(key) ? [] : [`${name} lacks ${key}`],
    ),
    ...(new RegExp(`^${pattern}$`).test(sequence) ? [] : [`${name} has ${sequence}`]),
    ...below.flatMap(([key, child]) => listProblems(child, key)),
  ];
}

const waiver = { reason: 'r', owner: 'o', expires: '2030-01-31' };
const report = createReport(
  [
    passed('catalog.one'),
    failed('catalog.two'),
    { ...failed('catalog.three'), waiver },
    unchecked('run.one'),
    createResult('run.two', { kind: 'observed', observation: 'a note <b>' }),
    createResult('run.three', { kind: 'setup-failed', reason: 'no answer' }),
    createResult('run.four', { kind: 'errored', message: 'a bug' }),
    { ...createResult('run.five', { kind: 'blocked', by: 'catalog.three' }), waivedBy: 'catalog.three' },
  ],
  { waiverProblems: [{ rule: 'catalog.gone', kind: 'unknown-rule', message: 'there is no rule with this id' }] },
);

test('junit.xml is valid against the schema of Ant', () => {
  const xml = renderJunit(report);
  const parsed = convert(xml, { format: 'object' }) as Node;
  expect(listProblems(parsed['testsuites'] as Node, 'testsuites')).toEqual([]);
  const broken = convert(xml.replace(' classname="run"', '').replace(' name="catalog"', ''), {
    format: 'object',
  }) as Node;
  expect(listProblems(broken['testsuites'] as Node, 'testsuites')).not.toEqual([]);
});

test('junit.xml counts waived rules, and rules that they block, as skipped', () => {
  const xml = renderJunit(report);
  expect(xml).toContain('name="catalog" tests="3" failures="1" errors="0" skipped="1"');
  expect(xml).toContain('name="run" tests="5" failures="0" errors="2" skipped="2"');
  expect(xml).toContain('<skipped message="waived because catalog.three is waived; blocked: needs catalog.three"/>');
  expect(xml).toContain('run.two: a note &lt;b&gt;');
});
