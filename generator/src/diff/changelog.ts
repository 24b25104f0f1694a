import type { ModelDiff } from './diff-report.ts';
import { schemaRules, type Verdict } from './rules.ts';
import type { SchemaChange } from './schema-change.ts';

const headings: readonly (readonly [Verdict, string])[] = [
  ['breaking', 'Breaking'],
  ['compatible', 'Compatible'],
  ['cosmetic', 'Without effect on code'],
];

/** What a person who updates the package wants to read, gravest first; Markdown, empty when nothing changed. */
export function writeChangelog(changes: readonly SchemaChange[], models: readonly ModelDiff[]): string {
  const lines = [
    ...changes.map((change) => ({ verdict: change.verdict, text: describeChange(change) })),
    ...models.flatMap(modelLines),
  ];
  return headings
    .map(([verdict, heading]) => ({ heading, texts: lines.filter((line) => line.verdict === verdict) }))
    .filter(({ texts }) => texts.length > 0)
    .map(({ heading, texts }) => `### ${heading}\n\n${texts.map(({ text }) => `- ${text}\n`).join('')}`)
    .join('\n');
}

function modelLines(model: ModelDiff): { verdict: Verdict; text: string }[] {
  const name = codeText(model.id);
  const changes = model.changes.map((change) => ({
    verdict: change.verdict,
    text: `${name}: ${describeChange(change)}`,
  }));
  if (model.kind === 'changed') return changes;
  const was = model.formerId === undefined ? '' : `, which was ${codeText(model.formerId)}`;
  return [{ verdict: model.verdict, text: `${model.kind} ${name}${was}` }, ...changes];
}

/** `input: the property became required: a (/input/properties/a)` */
export function describeChange({ rule, direction, subject, pointer, before, after }: SchemaChange): string {
  const what = subject === undefined ? '' : `: ${codeText(subject)}`;
  const place = pointer === '' ? '' : ` at ${codeText(pointer)}`;
  return `${direction}: ${schemaRules[rule].says}${what}${place}${describeValues(before, after)}`;
}

function describeValues(before: SchemaChange['before'], after: SchemaChange['after']): string {
  const isShort = (value: unknown): boolean => value === undefined || JSON.stringify(value).length <= 60;
  if ((before === undefined && after === undefined) || !isShort(before) || !isShort(after)) return '';
  const [old, now] = [before, after].map((value) =>
    value === undefined ? 'nothing' : codeText(JSON.stringify(value)),
  );
  return `, ${old} → ${now}`;
}

/** Names and values are a document's own text: they stand in code spans, and are cut where they could leave one. */
export function codeText(text: string): string {
  return `\`${plainText(text).replaceAll('`', "'")}\``;
}

function plainText(text: string): string {
  return text
    .replace(/\p{Cc}|\p{Cf}|\p{Zl}|\p{Zp}/gu, ' ')
    .replaceAll('|', '¦')
    .slice(0, 200);
}
