import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { median } from '../measure/process.ts';
import type { Cell } from '../report/table.ts';

const root = join(import.meta.dirname, '../..');
const imported = 'image-provider/still-2.1';
const compilers = ['typescript', 'typescript-7'] as const;
const counts = { few: 10, many: 1000 };
const bar = 1.2;

type Effort = { readonly seconds: number; readonly instantiations: number };
type Row = readonly [what: string, few: Cell, many: Cell, ratio: Cell, bar: string];

/** What a compiler does for a program that imports one model, with 10 and with 1,000 installed, and for each further call. */
export async function measureTypeCheck(
  runs: number,
): Promise<{ title: string; head: readonly string[]; rows: readonly Row[] }> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-types-'));
  try {
    const few = await install(join(folder, 'few'), counts.few);
    const many = await install(join(folder, 'many'), counts.many);
    const rows: Row[] = [];
    for (const compiler of compilers) {
      const seconds = { few: [] as number[], many: [] as number[] };
      // Alternating, so that a slow phase of the machine affects both.
      for (let round = 0; round < Math.max(runs, 1); round++) {
        seconds.few.push((await compile({ project: few, compiler, calls: 1 })).seconds);
        seconds.many.push((await compile({ project: many, compiler, calls: 1 })).seconds);
      }
      rows.push(rowOf(`${compiler}: seconds`, median(seconds.few), median(seconds.many)));
      const one = await compile({ project: few, compiler, calls: 1 });
      const same = await compile({ project: many, compiler, calls: 1 });
      rows.push(rowOf(`${compiler}: instantiations`, one.instantiations, same.instantiations));
      rows.push(await perCall(many, compiler));
    }
    return { title: 'Type check', head: ['', '10 installed', '1,000 installed', 'ratio', 'bar'], rows };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function rowOf(what: string, few: number, many: number): Row {
  const ratio = many / few;
  return [
    what,
    Number(few.toFixed(2)),
    Number(many.toFixed(2)),
    ratio.toFixed(2),
    `≤ ${bar}: ${ratio <= bar ? 'met' : 'MISSED'}`,
  ];
}

/** Instantiations of the second ten calls and of the third ten, each per call. */
async function perCall(project: string, compiler: string): Promise<Row> {
  const efforts: number[] = [];
  for (const calls of [10, 20, 30]) efforts.push((await compile({ project, compiler, calls })).instantiations);
  const [ten = 0, twenty = 0, thirty = 0] = efforts;
  const verdict = twenty - ten === thirty - twenty ? 'constant: met' : 'constant: MISSED';
  return [
    `${compiler}: instantiations for each further run()`,
    (twenty - ten) / 10,
    (thirty - twenty) / 10,
    '',
    verdict,
  ];
}

/** A project with so many models installed: copies of one, under names of their own. */
async function install(project: string, models: number): Promise<string> {
  const scope = join(project, 'node_modules/@switchyard');
  await cp(join(root, 'generated/model-router'), join(scope, 'model-router'), { recursive: true });
  await mkdir(join(scope, 'models/copies'), { recursive: true });
  await mkdir(join(scope, 'models/image-provider'));
  const source = join(root, 'generated/models');
  await cp(join(source, 'package.json'), join(scope, 'models/package.json'));
  await cp(join(source, `${imported}.d.ts`), join(scope, `models/${imported}.d.ts`));
  const declarations = await readFile(join(source, `${imported}.d.ts`), 'utf8');
  for (let at = 1; at < models; at++)
    await writeFile(join(scope, `models/copies/m${at}.d.ts`), declarations.replaceAll(imported, `copies/m${at}`));
  await writeFile(join(project, 'package.json'), '{ "type": "module" }');
  const compilerOptions = {
    ...{ noEmit: true, strict: true, skipLibCheck: true, module: 'nodenext', target: 'es2022' },
    ...{ lib: ['es2022', 'dom'], types: [] },
  };
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['program.ts'] }));
  return project;
}

async function compile(program: { project: string; compiler: string; calls: number }): Promise<Effort> {
  const { project, compiler, calls } = program;
  const call = `  await router.run(model, { prompt: 'a boat' });\n`;
  const text = `import { createModelRouter } from '@switchyard/model-router';
import { model } from '@switchyard/models/${imported}';
const router = createModelRouter();
export async function use(): Promise<void> {\n${call.repeat(calls)}}\n`;
  await writeFile(join(project, 'program.ts'), text);
  const tsc = join(root, 'node_modules', compiler, 'bin/tsc');
  const args = [tsc, '-p', project, '--extendedDiagnostics'];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: project });
  return { seconds: figureIn(stdout, 'Total time'), instantiations: figureIn(stdout, 'Instantiations') };
}

function figureIn(printed: string, name: string): number {
  const figure = new RegExp(`^${name}: +([\\d.]+)`, 'm').exec(printed)?.[1];
  if (figure === undefined) throw new Error(`the compiler printed no ${name}: ${printed}`);
  return Number(figure);
}
