import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BenchDocument, readDocuments, readOwnDocuments } from '../documents/document.ts';
import { randomDocuments } from '../documents/random-document.ts';
import type { BenchOptions } from '../options.ts';
import { progress, publish } from '../report/output.ts';
import { type Candidate, type Made, messageOf } from './candidates/candidate.ts';
import { heyApi, heyApiTuned } from './candidates/hey-api.ts';
import { openapiTypescript, openapiTypescriptTuned } from './candidates/openapi-typescript.ts';
import { switchyard } from './candidates/switchyard.ts';
import type { CaseSet } from './cases/cases.ts';
import { makeCases } from './cases/cases.ts';
import { toJsonSchema } from './oracle/json-schema.ts';
import { renderFidelity } from './render.ts';
import { type Answers, type Asked, score } from './score.ts';
import { subjectsOf } from './subject.ts';
import { firstCaseLine, typeCheck, writeCases } from './type-check.ts';

const candidates: readonly Candidate[] = [switchyard, openapiTypescript, openapiTypescriptTuned, heyApi, heyApiTuned];

/** Asks a JSON Schema validator and the type checker about the same values, and counts where they differ. */
export async function run(options: BenchOptions): Promise<void> {
  const given = options.corpus === undefined ? readOwnDocuments() : readDocuments(options.corpus);
  const documents = [...given, ...randomDocuments(options.random, options.seed)];
  const { asked, problems } = ask(documents, options);
  progress(`${asked.reduce((sum, { set }) => sum + set.cases.length, 0)} cases of ${documents.length} documents`);
  const folder = await mkdtemp(join(tmpdir(), 'bench-fidelity-'));
  try {
    const answers: Answers[] = [];
    for (const candidate of candidates) {
      if (options.only.length > 0 && !options.only.includes(candidate.name)) continue;
      answers.push(
        await answer(candidate, { documents, asked, folder: join(folder, candidate.name.replace(/\W+/g, '-')) }),
      );
    }
    const result = score({ documents, asked, answers, problems });
    publish(options, { bench: 'fidelity', text: renderFidelity(result, options.show), figures: result.figures });
  } finally {
    if (options.keep) progress(`kept ${folder}`);
    else await rm(folder, { recursive: true, force: true });
  }
}

function ask(documents: readonly BenchDocument[], options: BenchOptions): { asked: Asked[]; problems: string[] } {
  const problems: string[] = [];
  const asked = documents.flatMap(subjectsOf).flatMap((subject): Asked[] => {
    try {
      const schema = toJsonSchema(subject.schema, subject.root);
      const set: CaseSet = makeCases(subject, schema, options.cases);
      if (!set.reached) problems.push(`${subject.model} ${subject.direction}: no valid value was found`);
      return [{ subject, set }];
    } catch (error) {
      problems.push(`${subject.model} ${subject.direction}: ${messageOf(error)}`);
      return [];
    }
  });
  return { asked, problems };
}

type Work = { documents: readonly BenchDocument[]; asked: readonly Asked[]; folder: string };

async function answer(candidate: Candidate, { documents, asked, folder }: Work): Promise<Answers> {
  progress(`${candidate.name}: making types`);
  const start = performance.now();
  const made = await candidate.make(documents, join(folder, 'types'));
  const makeMs = performance.now() - start;
  progress(`${candidate.name}: asking the type checker`);
  const asking = performance.now();
  const files = await writeAll(asked, made, folder);
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
    checkMs: performance.now() - asking,
    refusalsOf: (subject) => refused.get(files.get(subject) ?? ''),
    complaintsAbout: (model) => refused.get(made.fileOf(model))?.values().next().value,
  };
}

async function writeAll(asked: readonly Asked[], made: Made, folder: string) {
  const files = new Map<Asked['subject'], string>();
  for (const [index, { subject, set }] of asked.entries()) {
    if (made.failed.has(subject.model)) continue;
    const path = join(folder, 'cases', `s${index}.ts`);
    files.set(subject, path);
    await writeCases(path, made.declare(subject), set.cases);
  }
  return files;
}
