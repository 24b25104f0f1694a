import { existsSync, readFileSync } from 'node:fs';
import type { BenchDocument } from '../documents/document.ts';
import type { Made } from './candidates/candidate.ts';
import type { CaseSet } from './cases/cases.ts';
import type { Case } from './cases/collection.ts';
import type { Subject } from './subject.ts';

export type SubjectCases = { subject: Subject; set: CaseSet };
/** The type checker's diagnostics for one candidate's types. */
export type CandidateResult = {
  name: string;
  made: Made;
  makeMs: number;
  checkMs: number;
  /** Messages by index of the case; -1 when the type itself cannot be used. */
  readRefusals(subject: Subject): ReadonlyMap<number, string> | undefined;
  diagnosticAbout(model: string): string | undefined;
};

export type Disagreement = { subject: Subject; oneCase: Case; message: string };
type Tally = { cases: number; falseAccepts: number; falseRejects: number };
export type CandidateFigures = Tally & {
  name: string;
  lost: number;
  failedDocuments: string[];
  errorFreeDocuments: number;
  brokenDocuments: string[];
  refusedOutputExamples: number;
  byKind: Record<string, Tally>;
  makeMs: number;
  checkMs: number;
};
export type Fidelity = {
  figures: {
    documents: number;
    cases: number;
    selfRefutedExamples: number;
    outputExamples: number;
    problems: readonly string[];
    candidates: CandidateFigures[];
  };
  disagreements: ReadonlyMap<string, readonly Disagreement[]>;
  /** The types of a model as the first candidate printed them. */
  readTypes(model: string): string;
};

type Input = {
  documents: readonly BenchDocument[];
  subjects: readonly SubjectCases[];
  results: readonly CandidateResult[];
  problems: readonly string[];
};

export function score({ documents, subjects, results, problems }: Input): Fidelity {
  const disagreements = new Map<string, Disagreement[]>();
  const candidates = results.map((one) => {
    const differing: Disagreement[] = [];
    disagreements.set(one.name, differing);
    return scoreCandidate(one, { documents, subjects, differing });
  });
  const count = (of: (set: CaseSet) => number): number => subjects.reduce((sum, { set }) => sum + of(set), 0);
  return {
    figures: {
      documents: documents.length,
      cases: count((set) => set.cases.length),
      selfRefutedExamples: count((set) => set.selfRefuted.length + set.cases.filter(isSelfRefuted).length),
      outputExamples: subjects
        .filter(({ subject }) => subject.direction === 'output')
        .reduce((sum, { set }) => sum + set.cases.filter(isPublished).length, 0),
      problems,
      candidates,
    },
    disagreements,
    readTypes: (model) => {
      const path = results[0]?.made.findFile(model);
      return path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : '';
    },
  };
}

type Scoring = { documents: readonly BenchDocument[]; subjects: readonly SubjectCases[]; differing: Disagreement[] };

function scoreCandidate(result: CandidateResult, { documents, subjects, differing }: Scoring): CandidateFigures {
  const total: Tally = { cases: 0, falseAccepts: 0, falseRejects: 0 };
  const byKind: Record<string, Tally> = {};
  let lost = 0;
  for (const { subject, set } of subjects) {
    const refusals = result.readRefusals(subject);
    if (result.made.failed.has(subject.model) || refusals?.has(-1)) lost += set.cases.length;
    else
      forEachCase(set.cases, refusals, (oneCase, message) => {
        if (isMisspelling(oneCase, message)) return;
        const tally = byKind[oneCase.kind] ?? { cases: 0, falseAccepts: 0, falseRejects: 0 };
        byKind[oneCase.kind] = tally;
        count(total, oneCase, message);
        count(tally, oneCase, message);
        if (oneCase.accepts !== (message === undefined)) differing.push({ subject, oneCase, message: message ?? '' });
      });
  }
  const broken = documents.flatMap(({ id }) => listDiagnostics(result, id));
  return {
    name: result.name,
    ...total,
    lost,
    failedDocuments: [...result.made.failed].map(([id, why]) => `${id}: ${why}`),
    errorFreeDocuments: documents.length - broken.length - result.made.failed.size,
    brokenDocuments: broken,
    refusedOutputExamples: differing.filter(
      ({ subject, oneCase }) => subject.direction === 'output' && isPublished(oneCase),
    ).length,
    byKind,
    makeMs: result.makeMs,
    checkMs: result.checkMs,
  };
}

function listDiagnostics(result: CandidateResult, id: string): string[] {
  const message = result.made.failed.has(id) ? undefined : result.diagnosticAbout(id);
  return message === undefined ? [] : [`${id}: ${message}`];
}

function forEachCase(
  cases: readonly Case[],
  refusals: ReadonlyMap<number, string> | undefined,
  each: (oneCase: Case, message: string | undefined) => void,
): void {
  for (const [index, oneCase] of cases.entries()) each(oneCase, refusals?.get(index));
}

function count(tally: Tally, { accepts }: Case, message: string | undefined): void {
  tally.cases++;
  if (accepts && message !== undefined) tally.falseRejects++;
  if (!accepts && message === undefined) tally.falseAccepts++;
}

// The deliberate exception: TypeScript refuses a value that shares no key with the type, fresh or not.
function isMisspelling({ accepts }: Case, message: string | undefined): boolean {
  return accepts && message?.includes('no properties in common') === true;
}

function isSelfRefuted({ kind, accepts }: Case): boolean {
  return kind === 'published value' && !accepts;
}

function isPublished({ kind, accepts }: Case): boolean {
  return accepts && (kind === 'published example' || kind === 'published value');
}
