import { existsSync, readFileSync } from 'node:fs';
import type { BenchDocument } from '../documents/document.ts';
import type { Made } from './candidates/candidate.ts';
import type { CaseSet } from './cases/cases.ts';
import type { Case } from './cases/collection.ts';
import type { Subject } from './subject.ts';

export type Asked = { subject: Subject; set: CaseSet };
/** What the type checker said of one candidate's types. */
export type Answers = {
  name: string;
  made: Made;
  makeMs: number;
  checkMs: number;
  /** Messages by index of the case; -1 when the type itself cannot be used. */
  refusalsOf(subject: Subject): ReadonlyMap<number, string> | undefined;
  complaintsAbout(model: string): string | undefined;
};

export type Disagreement = { subject: Subject; asked: Case; message: string };
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
  typesOf(model: string): string;
};

type Input = {
  documents: readonly BenchDocument[];
  asked: readonly Asked[];
  answers: readonly Answers[];
  problems: readonly string[];
};

export function score({ documents, asked, answers, problems }: Input): Fidelity {
  const disagreements = new Map<string, Disagreement[]>();
  const candidates = answers.map((one) => {
    const differing: Disagreement[] = [];
    disagreements.set(one.name, differing);
    return scoreCandidate(one, { documents, asked, differing });
  });
  const count = (of: (set: CaseSet) => number): number => asked.reduce((sum, { set }) => sum + of(set), 0);
  return {
    figures: {
      documents: documents.length,
      cases: count((set) => set.cases.length),
      selfRefutedExamples: count((set) => set.selfRefuted.length + set.cases.filter(isSelfRefuted).length),
      outputExamples: asked
        .filter(({ subject }) => subject.direction === 'output')
        .reduce((sum, { set }) => sum + set.cases.filter(isPublished).length, 0),
      problems,
      candidates,
    },
    disagreements,
    typesOf: (model) => {
      const path = answers[0]?.made.fileOf(model);
      return path !== undefined && existsSync(path) ? readFileSync(path, 'utf8') : '';
    },
  };
}

type Scoring = { documents: readonly BenchDocument[]; asked: readonly Asked[]; differing: Disagreement[] };

function scoreCandidate(answers: Answers, { documents, asked, differing }: Scoring): CandidateFigures {
  const total: Tally = { cases: 0, falseAccepts: 0, falseRejects: 0 };
  const byKind: Record<string, Tally> = {};
  let lost = 0;
  for (const { subject, set } of asked) {
    const refusals = answers.refusalsOf(subject);
    if (answers.made.failed.has(subject.model) || refusals?.has(-1)) lost += set.cases.length;
    else
      judge(set.cases, refusals, (asked, message) => {
        if (isMisspelling(asked, message)) return;
        const tally = byKind[asked.kind] ?? { cases: 0, falseAccepts: 0, falseRejects: 0 };
        byKind[asked.kind] = tally;
        count(total, asked, message);
        count(tally, asked, message);
        if (asked.accepts !== (message === undefined)) differing.push({ subject, asked, message: message ?? '' });
      });
  }
  const broken = documents.flatMap(({ id }) => complaints(answers, id));
  return {
    name: answers.name,
    ...total,
    lost,
    failedDocuments: [...answers.made.failed].map(([id, why]) => `${id}: ${why}`),
    errorFreeDocuments: documents.length - broken.length - answers.made.failed.size,
    brokenDocuments: broken,
    refusedOutputExamples: differing.filter(
      ({ subject, asked }) => subject.direction === 'output' && isPublished(asked),
    ).length,
    byKind,
    makeMs: answers.makeMs,
    checkMs: answers.checkMs,
  };
}

function complaints(answers: Answers, id: string): string[] {
  const message = answers.made.failed.has(id) ? undefined : answers.complaintsAbout(id);
  return message === undefined ? [] : [`${id}: ${message}`];
}

function judge(
  cases: readonly Case[],
  refusals: ReadonlyMap<number, string> | undefined,
  each: (asked: Case, message: string | undefined) => void,
): void {
  for (const [index, asked] of cases.entries()) each(asked, refusals?.get(index));
}

function count(tally: Tally, { accepts }: Case, message: string | undefined): void {
  tally.cases++;
  if (accepts && message !== undefined) tally.falseRejects++;
  if (!accepts && message === undefined) tally.falseAccepts++;
}

// The deliberate exception: where no key is known to the type, TypeScript takes the others for misspelt, fresh or not.
function isMisspelling({ accepts }: Case, message: string | undefined): boolean {
  return accepts && message?.includes('no properties in common') === true;
}

function isSelfRefuted({ kind, accepts }: Case): boolean {
  return kind === 'published value' && !accepts;
}

function isPublished({ kind, accepts }: Case): boolean {
  return accepts && (kind === 'published example' || kind === 'published value');
}
