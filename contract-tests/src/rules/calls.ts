import type { Answer } from '../contract/answer.ts';
import type { ScenarioContext } from '../contract/scenario.ts';
import { modelPath } from '../contract/steps.ts';

/** Well-formed, so that only its being unknown can be the reason of a refusal. */
export const unknownRequestId = '00000000-0000-4000-8000-000000000000';
export const unknownModelPath = '/v2/models/no-such-provider/no-such-model';

/** A model that a known provider does not have. */
export function unknownSiblingPath({ authored }: Pick<ScenarioContext, 'authored'>): string {
  return modelPath(`${authored.provider}/no-such-model`);
}

/** Cut off, so that no lenient parser takes it for an object. */
export const malformedBody = {
  kind: 'bytes',
  bytes: new TextEncoder().encode('{"prompt": "half a'),
  mediaType: 'application/json',
} as const;

/** `plain`: no scenario cancels it before it has ended, or needs it to be new. `uncollected`: nor collects its result. */
export type SharedRequest = 'plain request' | 'uncollected request';

/** Submits a valid input for what follows. Scenarios share the request where they say so. */
export function submitted({ must, submit, authored }: ScenarioContext, share?: SharedRequest): Promise<Answer> {
  return must(submit(authored, share === undefined ? {} : { share }), 201);
}
