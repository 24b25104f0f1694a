import { isJsonObject, resolvePointer } from '../../specs/src/index.ts';
import { formatTable, percent } from '../report/table.ts';
import type { CandidateFigures, Disagreement, Fidelity } from './score.ts';
import { pointerOfSubject, type Subject } from './subject.ts';

/** `show` sides of models on which the first candidate is wrong are printed in full. */
export function renderFidelity({ figures, disagreements, readTypes }: Fidelity, show: number): string {
  const { candidates } = figures;
  const own = candidates[0];
  const parts = [
    `${figures.cases} cases of ${figures.documents} documents; ${figures.selfRefutedExamples} published examples violate their own schemas and are left out.`,
    ...figures.problems.map((problem) => `left out: ${problem}`),
    renderTotals(candidates, figures.outputExamples),
    renderKinds(candidates),
  ];
  for (const { name, failedDocuments, brokenDocuments } of candidates) {
    const all = [...failedDocuments.map((one) => `failed: ${one}`), ...brokenDocuments.map((one) => `errors: ${one}`)];
    if (all.length > 0)
      parts.push(
        [
          name,
          ...all.slice(0, 5).map((one) => `  ${one.slice(0, 200)}`),
          ...(all.length > 5 ? [`  … ${all.length} in all`] : []),
        ].join('\n'),
      );
  }
  const differing = own === undefined ? [] : (disagreements.get(own.name) ?? []);
  const bySubject = [...Map.groupBy(differing, ({ subject }) => subject)].slice(0, show);
  parts.push(...bySubject.map(([subject, list]) => renderSubject(subject, list, readTypes)));
  return parts.join('\n\n');
}

function renderTotals(candidates: readonly CandidateFigures[], outputExamples: number): string {
  return formatTable(
    [
      'types',
      'agreement',
      'false accepts',
      'false rejects',
      'cases',
      'lost',
      'documents failed',
      'error-free',
      `refused of ${outputExamples} output examples`,
      'make s',
      'check s',
    ],
    candidates.map((one) => [
      one.name,
      agreement(one),
      one.falseAccepts,
      one.falseRejects,
      one.cases,
      one.lost,
      one.failedDocuments.length,
      one.errorFreeDocuments,
      one.refusedOutputExamples,
      (one.makeMs / 1000).toFixed(1),
      (one.checkMs / 1000).toFixed(1),
    ]),
  );
}

function agreement({ cases, falseAccepts, falseRejects }: CandidateFigures['byKind'][string]): string {
  return percent(cases - falseAccepts - falseRejects, cases);
}

/** Per class of mutation: agreement, false accepts and false rejects. */
function renderKinds(candidates: readonly CandidateFigures[]): string {
  const kinds = [...new Set(candidates.flatMap(({ byKind }) => Object.keys(byKind)))].sort();
  const none = { cases: 0, falseAccepts: 0, falseRejects: 0 };
  return formatTable(
    ['class (false accepts + false rejects)', 'cases', ...candidates.map(({ name }) => name)],
    kinds.map((kind) => [
      kind,
      Math.max(...candidates.map(({ byKind }) => byKind[kind]?.cases ?? 0)),
      ...candidates.map(({ byKind }) => {
        const tally = byKind[kind] ?? none;
        const wrong = tally.falseAccepts + tally.falseRejects;
        return wrong === 0 ? agreement(tally) : `${agreement(tally)} (${tally.falseAccepts}+${tally.falseRejects})`;
      }),
    ]),
  );
}

/** A disagreement in full: the schema, the type, and values that show it. */
function renderSubject(
  subject: Subject,
  differing: readonly Disagreement[],
  readTypes: (model: string) => string,
): string {
  return [
    `${subject.model} ${subject.direction}, ${pointerOfSubject(subject)}`,
    `  schema   ${JSON.stringify(subject.schema).slice(0, longest)}`,
    ...Object.entries(readComponents(subject)).map(([name, text]) => `  ${name}   ${text.slice(0, longest)}`),
    readTypes(subject.model).replaceAll(/^/gm, '  | '),
    ...differing.slice(0, 4).map(renderDisagreement),
    ...(differing.length > 4 ? [`  … ${differing.length} in all`] : []),
  ].join('\n');
}

const longest = 3000;

function readComponents({ root }: Subject): Record<string, string> {
  const schemas = resolvePointer(root, '/components/schemas');
  return isJsonObject(schemas)
    ? Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, JSON.stringify(schema)]))
    : {};
}

function renderDisagreement({ oneCase, message }: Disagreement): string {
  return [
    `  false ${oneCase.accepts ? 'reject' : 'accept'}, ${oneCase.kind} at ${oneCase.pointer || '/'} (${oneCase.form})`,
    `    value   ${JSON.stringify(oneCase.value).slice(0, longest)}`,
    ...(message === '' ? [] : [`    checker ${message.slice(-500)}`]),
  ].join('\n');
}
