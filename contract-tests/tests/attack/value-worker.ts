import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { compileSchema, isJsonObject, type JsonValue } from '../../../specs/src/index.ts';
import type { ValueCase } from './value-case.ts';
import { valueCase, valueModel } from './value-cases.ts';

/**
 * `node value-worker.ts OUT SEED CASES SKIP`: asks validators of an output folder about the values of cases (numbers with commas), without
 * the first SKIP probes of the first case. Prints a line before each call and one after it.
 */
const [out = '', seed = '0', cases = '', skip = '0'] = process.argv.slice(2);
type Validator = { isOutput(value: unknown): boolean; validateOutput(value: unknown): { valid: boolean } };

const say = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);

for (const [at, index] of cases.split(',').map(Number).entries()) {
  const one = valueCase({ seed: Number(seed) }, index);
  const validator = await load(index);
  if (validator === undefined) say({ case: index, missing: true });
  else ask({ one, index, validator, from: at === 0 ? Number(skip) : 0 });
}

async function load(index: number): Promise<Validator | undefined> {
  const path = join(out, 'models', `${valueModel(index)}.js`);
  return await import(pathToFileURL(path).href).catch(() => undefined);
}

function ask({
  one,
  index,
  validator,
  from,
}: {
  one: ValueCase;
  index: number;
  validator: Validator;
  from: number;
}): void {
  for (const [probe, { value, truth }] of one.probes.entries()) {
    if (probe < from) continue;
    const built = value();
    say({ case: index, probe });
    const began = process.cpuUsage();
    const { answer, error } = tryCall(() => [validator.isOutput(built), validator.validateOutput(built).valid]);
    const { user, system } = process.cpuUsage(began);
    const expected = truth === 'ajv' ? ajvSays(one, built) : truth;
    say({ case: index, probe, ms: (user + system) / 1000, answer, error, expected });
  }
}

function tryCall(call: () => boolean[]): { answer?: boolean[]; error?: string } {
  try {
    return { answer: call() };
  } catch (error) {
    return { error: String(error).slice(0, 100) };
  }
}

/** `ends` where ajv cannot say. */
function ajvSays({ schema, document }: ValueCase, value: unknown): boolean | 'ends' {
  if (typeof schema !== 'boolean' && !isJsonObject(schema)) return 'ends';
  try {
    // Cases for ajv hold JSON.
    return compileSchema(schema, { root: { ...document, openapi: '3.0.3' } })(value as JsonValue).length === 0;
  } catch {
    return 'ends';
  }
}
