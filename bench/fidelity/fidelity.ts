import { join } from 'node:path';
import { type BenchDocument, readDocuments, readOwnDocuments } from '../documents/document.ts';
import { randomDocuments } from '../documents/random-document.ts';
import { withWorkingFolder } from '../measure/working-folder.ts';
import type { BenchOptions } from '../options.ts';
import { progress, publish } from '../report/output.ts';
import { type Candidate, type Made, toMessage } from './candidates/candidate.ts';
import { heyApi, heyApiTuned } from './candidates/hey-api.ts';
import { openapiTypescript, openapiTypescriptTuned } from './candidates/openapi-typescript.ts';
import { switchyard } from './candidates/switchyard.ts';
import type { CaseSet } from './cases/cases.ts';
import { makeCases } from './cases/cases.ts';
import { toJsonSchema } from './oracle/json-schema.ts';
import { renderFidelity } from './render.ts';
import { type CandidateResult, type SubjectCases, score } from './score.ts';
import { listSubjects } from './subject.ts';
import { firstCaseLine, typeCheck, writeCases } from './type-check.ts';

const candidates: readonly Candidate[] = [switchyard, openapiTypescript, openapiTypescriptTuned, heyApi, heyApiTuned];

/** Gives the same values to a JSON Schema validator and to the type checker, and counts where they differ. */
export async function run(options: BenchOptions): Promise<void> {
  const given = options.corpus === undefined ? readOwnDocuments() : readDocuments(options.corpus);
  const documents = [...given, ...randomDocuments(options.random, options.seed)];
  const { subjects, problems } = makeAllCases(documents, options);
  progress(`${subjects.reduce((sum, { set }) => sum + set.cases.length, 0)} cases of ${documents.length} documents`);
  await withWorkingFolder(options, async (folder) => {
    const results: CandidateResult[] = [];
    for (const candidate of candidates) {
      if (options.only.length > 0 && !options.only.includes(candidate.name)) continue;
      results.push(
        await checkCandidate(candidate, {
          documents,
          subjects,
          folder: join(folder, candidate.name.replace(/\W+/g, '-')),
        }),
      );
    }
    const result = score({ documents, subjects, results, problems });
    publish(options, { bench: 'fidelity', text: renderFidelity(result, options.show), figures: result.figures });
  });
}

function makeAllCases(
  documents: readonly BenchDocument[],
  options: BenchOptions,
): { subjects: SubjectCases[]; problems: string[] } {
  const problems: string[] = [];
  const subjects = documents.flatMap(listSubjects).flatMap((subject): SubjectCases[] => {
    try {
      const schema = toJsonSchema(subject.schema, subject.root, subject.direction);
      const set: CaseSet = makeCases(subject, schema, options.cases);
      if (!set.reached) problems.push(`${subject.model} ${subject.direction}: no valid value was found`);
      return [{ subject, set }];
    } catch (error) {
      problems.push(`${subject.model} ${subject.direction}: ${toMessage(error)}`);
      return [];
    }
  });
  return { subjects, problems };
}

type Work = { documents: readonly BenchDocument[]; subjects: readonly SubjectCases[]; folder: string };

async function checkCandidate(candidate: Candidate, { documents, subjects, folder }: Work): Promise<CandidateResult> {
  progress(`${candidate.name}: printing types`);
  const start = performance.now();
  const made = await candidate.make(documents, join(folder, 'types'));
  const makeMs = performance.now() - start;
  progress(`${candidate.name}: checking types`);
  const checkStart = performance.now();
  const files = await writeAll(subjects, made, folder);
  const diagnostics = await typeCheck(folder, { compiler: '7', paths: made.paths });
  const refused = new Map<string, Map<number, string>>();
  for (const { file, line, message, reason } of diagnostics) {
    const lines = refused.get(file) ?? new Map<number, string>();
    refused.set(file, lines.set(line - firstCaseLine, lines.get(line - firstCaseLine) ?? `${message} ${reason}`));
  }
  return {
    name: candidate.name,
    made,
    makeMs,
    checkMs: performance.now() - checkStart,
    readRefusals: (subject) => refused.get(files.get(subject) ?? ''),
    diagnosticAbout: (model) => refused.get(made.findFile(model))?.values().next().value,
  };
}

async function writeAll(subjects: readonly SubjectCases[], made: Made, folder: string) {
  const files = new Map<SubjectCases['subject'], string>();
  for (const [index, { subject, set }] of subjects.entries()) {
    if (made.failed.has(subject.model)) continue;
    const path = join(folder, 'cases', `s${index}.ts`);
    files.set(subject, path);
    await writeCases(path, made.declare(subject), set.cases);
  }
  return files;
}
