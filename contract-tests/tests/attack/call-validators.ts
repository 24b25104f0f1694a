import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import { generateFlags, runCommand } from './child.ts';
import { makeDocument } from './documents.ts';
import { checkProperty } from './property.ts';
import { honestRouter, serve } from './router.ts';
import { namedCases, type ValueCase, valueCases } from './values.ts';

type Validator = { isOutput(value: unknown): boolean; validateOutput(value: unknown): { valid: boolean } };
/** Processor time of both calls. */
const callsCpuMs = 4_000;
const modelId = (at: number): string => `values-provider/case-${at}`;
const print = (line: unknown): boolean => process.stdout.write(`${JSON.stringify(line)}\n`);

/**
 * `node call-validators.ts FOLDER SEED PATH MS`: generates packages from schemas and calls their validators. Prints each case before its
 * calls, and the result at the end.
 */
const [folder = '', seed, path = '', ms] = process.argv.slice(2);
const until = performance.now() + Number(ms);
const options = { seed: Number(seed), folder, until, ...(path === '' ? {} : { path }) };
print(
  await checkProperty<readonly ValueCase[]>(options, {
    runs: 10,
    cases: fc.array(valueCases, { minLength: 1, maxLength: 40 }),
    named: [namedCases],
    describe: (cases) => cases.map(({ name }) => name).join('\n'),
    check: async (cases) => {
      const out = await generate(cases);
      const problems: string[] = [];
      for (const [at, one] of cases.entries()) {
        if (performance.now() > until) break;
        const module = await import(pathToFileURL(join(out, 'models', `${modelId(at)}.js`)).href).catch(
          () => undefined,
        );
        // Schemas that never end may be left out, with a diagnostic.
        if (module === undefined && !one.name.startsWith('cycle')) problems.push(`${one.name}: not generated`);
        if (module !== undefined) problems.push(...callValidator(one, module));
      }
      return problems;
    },
  }),
);

/** Returns the output folder. */
async function generate(cases: readonly ValueCase[]): Promise<string> {
  const cwd = mkdtempSync(join(folder, 'case-'));
  const texts = cases.map(({ schema, components }, at): [string, string] => [
    modelId(at),
    JSON.stringify(makeDocument(modelId(at), { output: schema, components })),
  ]);
  const router = await serve(honestRouter(new Map(texts)));
  const flags = [...generateFlags(router.url), '--output-validators'];
  const { code, err } = await runCommand('generate', flags, { cwd, env: { SWITCHYARD_API_KEY: 'sk-attack-values' } });
  await router.close();
  if (code !== 0) throw new Error(`generate ended with ${code}: ${err.slice(0, 500)}`);
  return join(cwd, 'out');
}

function callValidator({ name, probes }: ValueCase, { isOutput, validateOutput }: Validator): string[] {
  return probes.flatMap(({ value, valid }, at) => {
    if (performance.now() > until) return [];
    const built = value();
    const subject = `${name}, value ${at}`;
    print(subject);
    const startedAt = process.cpuUsage();
    try {
      const answers = [isOutput(built), validateOutput(built).valid];
      const { user, system } = process.cpuUsage(startedAt);
      if (answers[0] !== answers[1])
        return [`${subject}: isOutput returns ${answers[0]}, validateOutput ${answers[1]}`];
      if (valid !== undefined && answers[0] !== valid) return [`${subject}: isOutput returns ${answers[0]}`];
      const usedMs = (user + system) / 1_000;
      return usedMs > callsCpuMs ? [`${subject}: took ${Math.round(usedMs)} ms`] : [];
    } catch (error) {
      return [`${subject}: threw ${String(error).slice(0, 200)}`];
    }
  });
}
