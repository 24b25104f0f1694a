import { extensionKey, isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import type { Draft } from '../finding.ts';
import type { Rule } from '../rule.ts';
import { documentFindings } from '../rules/schema-document/content.ts';
import { passiveRule } from './passive-rule.ts';
import { isOf } from './sighting.ts';

// One document is read many times, and equal bytes give one object; what it lacks depends on the brand's key.
const known = new WeakMap<JsonObject, { readonly key: string; readonly findings: readonly Draft[] }>();

export const documentRules: readonly Rule[] = [
  passiveRule({
    id: 'schema-document.stands-by-itself',
    requirements: ['MR-SCH-25', 'MR-SCH-26', 'MR-SCH-30'],
    of: (sighting) => isOf(sighting, 'readSchemaDocument') && sighting.answer.status === 200,
    judge: ({ answer, body }, { specs }) => {
      if (body.kind !== 'json' || !isJsonObject(body.value)) return [];
      const key = extensionKey(specs.settings.brand, 'input-schema-authored');
      const earlier = known.get(body.value);
      const findings = earlier?.key === key ? earlier.findings : documentFindings(body.value, answer.step, key);
      known.set(body.value, { key, findings });
      return findings.map((one) => ({ ...one, at: { ...one.at, step: answer.step } }));
    },
  }),
];
