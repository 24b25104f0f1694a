import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { type Command, generateFlags, runCommand } from './child.ts';
import { type HostileModel, hostileModels, makeDocument, namedCatalogs, object } from './documents.ts';
import { checkOutput, findProblems, listFiles } from './output.ts';
import { honestRouter, serve } from './router.ts';
import { credential } from './texts.ts';
import { type AttackTime, tryCases } from './try-cases.ts';

const neighbour = 'healthy-provider/one';
const neighbourText = JSON.stringify(
  makeDocument(neighbour, { input: object({ prompt: { type: 'string' } }, { required: ['prompt'] }) }),
);
type Catalog = { readonly key: string; readonly models: readonly HostileModel[] };

/** Attacks every command that reads a catalog or generated packages with catalogs of hostile documents and one healthy document. */
export async function attackDocuments(folder: string, time: AttackTime) {
  const healthyOnly = await useCatalog({ key: 'sk-attack-alone', models: [] }, folder, ['generate']);
  const cases = credential.chain((key) =>
    fc.record({ key: fc.constant(key), models: fc.array(hostileModels(key), { minLength: 1, maxLength: 10 }) }),
  );
  return tryCases<Catalog>(time, {
    cases,
    named: namedCatalogs.map((models) => ({ key: 'sk-attack-documents', models })),
    check: async (catalog) => {
      const { problems, healthy } = await useCatalog(catalog, folder, ['generate', 'verify', 'docs', 'diff']);
      return healthy === healthyOnly.healthy
        ? problems
        : [...problems, 'the files of the healthy model differ from those without hostile models'];
    },
  });
}

/** Runs the commands on a catalog; returns their problems, and the files of the healthy model as one text. */
async function useCatalog(
  { key, models }: Catalog,
  parent: string,
  commands: readonly Command[],
): Promise<{ problems: string[]; healthy: string }> {
  const folder = mkdtempSync(join(parent, 'catalog-'));
  const texts = models.map((model, at): [string, string] => {
    const id = model.id ?? `hostile-provider/case-${at}`;
    return [id, model.print(id)];
  });
  const router = await serve(honestRouter(new Map([...texts, [neighbour, neighbourText]])));
  const flags: Partial<Record<Command, string[]>> = {
    generate: [...generateFlags(router.url), '--output-validators'],
    verify: ['out'],
    docs: ['--router-url', router.url, '--cache', 'cache', '--out', 'site'],
    diff: ['out', '--router-url', router.url, '--cache', 'other'],
  };
  const problems: string[] = [];
  for (const command of commands) {
    const limits = { cpuMs: 90_000, peakMb: 2_500 };
    const options = { cwd: folder, env: { SWITCHYARD_API_KEY: key }, limits };
    const ended = await runCommand(command, flags[command] ?? [], options);
    const found = findProblems(ended, { codes: [0, 1, 3], credentials: [key], folder });
    problems.push(...found.map((problem) => `${command}: ${problem}`));
  }
  await router.close();
  const out = join(folder, 'out');
  if (models.length > 0 && existsSync(out)) problems.push(...(await checkOutput(out)));
  for (const name of readdirSync(folder))
    if (!['out', 'cache', 'site', 'other'].includes(name)) problems.push(`${name} was written outside the output`);
  const healthy = listFiles(out)
    .filter((path) => path.includes(neighbour))
    .map((path) => `${path}\n${readFileSync(join(out, path), 'utf8')}`);
  return { problems, healthy: healthy.join('\n') };
}
