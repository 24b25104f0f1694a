import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject, JsonValue } from '../../specs/src/index.ts';
import { OptionError } from '../options.ts';
import type { Figure } from '../report/figures.ts';
import { progress } from '../report/output.ts';
import { makeValidator } from './make-validator.ts';

type Group = {
  description: string;
  schema: JsonObject | boolean;
  tests: { description: string; data: JsonValue; valid: boolean }[];
};

/** Keywords that no document of a router may use: they name schemas by other means than a pointer. */
const otherNames = /"\$(?:id|anchor|dynamicRef|dynamicAnchor|vocabulary)"/;

/** The tests of draft 2020-12 in a checkout of the JSON Schema test suite, as schemas pass through the generator. */
export function runSuite(folder: string): Figure {
  const wrong: string[] = [];
  let [right, without] = [0, 0];
  for (const [file, { description: about, schema, tests }] of groupsIn(join(folder, 'tests', 'draft2020-12'))) {
    const check = otherNames.test(JSON.stringify(schema)) ? undefined : makeValidator(schema);
    if (check === undefined) {
      without += tests.length;
      continue;
    }
    const failing = tests.filter(
      ({ data, valid }) => check.accepts(data) !== valid || check.validate(data).valid !== valid,
    );
    right += tests.length - failing.length;
    wrong.push(...failing.map(({ description }) => `${file}: ${about}: ${description}`));
  }
  for (const text of wrong) progress(text);
  return {
    what: 'test suite of draft 2020-12: wrong answers',
    value: wrong.length,
    beside: `${right} right, ${without} about names of schemas that no model document has`,
    target: '0',
    isMet: wrong.length === 0 && right > 1000,
  };
}

function* groupsIn(folder: string): Generator<[file: string, group: Group]> {
  let files: string[];
  try {
    files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  } catch {
    throw new OptionError(`bench: --suite takes a checkout of the JSON Schema test suite; ${folder} cannot be read`);
  }
  for (const file of files) {
    const groups: Group[] = JSON.parse(readFileSync(join(folder, file), 'utf8')); // the form of the suite's files
    for (const group of groups) yield [file, group];
  }
}
