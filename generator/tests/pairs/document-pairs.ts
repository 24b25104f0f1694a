import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { integer, number, object, ref, text } from './pair-words.ts';

/** A document before and after a change, with values and code that are valid for the older document. */
export type DocumentPair = Known & { readonly name: string; readonly before: JsonObject; readonly after: JsonObject };
/**
 * Values and code that are valid for the older document. `writes` and `reads` are statements that may use a parameter
 * `output`, and the exported types as members of `Api`.
 */
export type Known = {
  readonly inputs: readonly JsonObject[];
  readonly outputs: readonly JsonObject[];
  readonly writes: readonly string[];
  readonly reads: readonly string[];
};
/** New values by their locations below `/components/schemas`; undefined removes a value. */
type Edits = Readonly<Record<string, JsonValue | undefined>>;

/** Creates a document like real ones. `Request` and `Result` in `schemas` are its input and output. */
function wrap(schemas: JsonValue): JsonObject {
  const json = (name: string): JsonObject => ({
    content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } },
  });
  const responses = { 200: { description: 'The result.', ...json('Result') } };
  return {
    openapi: '3.0.4',
    info: { title: 'p/m', version: '4b1d' },
    paths: {
      '/v2/models/p/m': {
        post: { operationId: 'runModel', requestBody: { required: true, ...json('Request') }, responses },
      },
    },
    components: { schemas },
    'x-service-input-schema-authored': true,
    'x-service-output-schema-authored': true,
  };
}

function edit(schemas: JsonObject, edits: Edits): JsonObject {
  const copy: JsonObject = JSON.parse(JSON.stringify(schemas));
  for (const [place, value] of Object.entries(edits)) {
    const steps = place.split('/');
    const last = steps.pop() ?? '';
    const holder = steps.reduce<JsonValue | undefined>((at, step) => new Map(Object.entries(at ?? {})).get(step), copy);
    if (Array.isArray(holder))
      holder.splice(
        Number(last),
        value === undefined ? 1 : Number(last in holder),
        ...(value === undefined ? [] : [value]),
      );
    else if (!isJsonObject(holder)) throw new Error(`nothing at ${place}`);
    else if (value === undefined) delete holder[last];
    else holder[last] = value;
  }
  return copy;
}

const link: JsonObject = { type: 'string', format: 'uri' };

const schemas: JsonObject = {
  Request: object(
    {
      prompt: text,
      model: { ...text, enum: ['ray-2', 'ray-flash-2'], default: 'ray-2' },
      duration: { anyOf: [{ ...text, enum: ['5s', '9s'] }, text] },
      keyframes: object({ frame0: ref('Keyframe'), frame1: ref('Keyframe') }),
      resolution: { type: 'array', items: integer, minItems: 2, maxItems: 2 },
      start_frame: { ...integer, minimum: 0, maximum: 120, multipleOf: 8 },
      callback_url: { ...link, nullable: true },
    },
    'prompt',
    'model',
  ),
  Keyframe: {
    oneOf: [ref('FormerVideo'), ref('Still')],
    discriminator: {
      propertyName: 'type',
      mapping: { generation: '#/components/schemas/FormerVideo', image: '#/components/schemas/Still' },
    },
  },
  FormerVideo: object({ type: { ...text, enum: ['generation'] }, id: { ...text, format: 'uuid' } }, 'type', 'id'),
  Still: object({ type: { ...text, enum: ['image'] }, url: link }, 'type', 'url'),
  Clip: object({ url: text, duration: number, fps: number }, 'url'),
  Result: object(
    {
      video: { title: 'Video', allOf: [ref('Clip')] },
      state: { ...text, enum: ['queued', 'dreaming', 'completed', 'failed'] },
      failure_reason: { ...text, nullable: true },
      source: ref('Keyframe'),
      progress: { ...number, format: 'float', minimum: 0, maximum: 1 },
    },
    'video',
    'state',
    'source',
  ),
};

const known: Known = {
  inputs: [
    { prompt: 'sea', model: 'ray-2' },
    { prompt: 'sea', model: 'ray-2', start_frame: 8 },
    {
      prompt: 'sea',
      model: 'ray-flash-2',
      duration: '5s',
      keyframes: { frame0: { type: 'image', url: 'https://a.test/b' } },
    },
    { prompt: 'sea', model: 'ray-2', duration: '7s', resolution: [1920, 1080], callback_url: null },
    {
      prompt: 'sea',
      model: 'ray-2',
      start_frame: 16,
      keyframes: { frame1: { type: 'generation', id: '123e4567-e89b-12d3-a456-426614174000' } },
    },
  ],
  outputs: [
    { video: { url: 'u' }, state: 'queued', source: { type: 'image', url: 'https://a.test/b' }, failure_reason: null },
    {
      video: { url: 'u', fps: 24 },
      state: 'failed',
      source: { type: 'image', url: 'https://a.test/b' },
      failure_reason: 'full',
      progress: 0,
    },
  ],
  writes: [
    'const still: Api.Still = { type: "image", url: "" }; const input: Api.Input = { prompt: "", model: "ray-2", keyframes: { frame0: still } };',
    'const input: Api.Input = { prompt: "", model: "ray-2" }; input.resolution = [1, 2]; input.callback_url = null;',
    'const wish: { model: "ray-2" | "ray-flash-2" } = { model: "ray-2" }; const input: Api.Input = { prompt: "", ...wish };',
  ],
  reads: [
    'switch (output.state) { case "queued": case "dreaming": break; case "completed": { const link: string = output.video.url; break; } case "failed": { const why: string = output.failure_reason ?? "" } }',
    'const frame: Api.Keyframe = output.source; const id: string = frame.type === "generation" ? frame.id : frame.url;',
    'const words: Record<typeof output.state, string> = { queued: "", dreaming: "", completed: "", failed: "" };',
    'const clip: Api.Clip = output.video; const share: number = output.progress ?? 0;',
  ],
};

const changes: Readonly<Record<string, Edits>> = {
  'an enum moved to a definition': {
    Model: { ...text, enum: ['ray-2', 'ray-flash-2'] },
    'Request/properties/model': ref('Model'),
  },
  'a required property with a default that became optional': { 'Request/required/1': undefined },
  'an open enum that was closed': { 'Request/properties/duration': { ...text, enum: ['5s', '9s'] } },
  'an alternative added to a discriminated union': {
    Motion: object({ type: { ...text, enum: ['motion'] }, path: text }, 'type', 'path'),
    'Keyframe/oneOf/2': ref('Motion'),
    'Keyframe/discriminator/mapping/motion': '#/components/schemas/Motion',
  },
  'an alternative removed from a discriminated union': {
    'Keyframe/oneOf/0': undefined,
    'Keyframe/discriminator/mapping/generation': undefined,
    FormerVideo: undefined,
  },
  'a second value for the tag of an alternative': { 'Still/properties/type/enum/1': 'picture' },
  'a required property added to an alternative': { 'Still/properties/crop': text, 'Still/required/2': 'crop' },
  'an object that became a map': {
    'Request/properties/keyframes': { type: 'object', additionalProperties: ref('Keyframe') },
  },
  'another step size': { 'Request/properties/start_frame/multipleOf': 12 },
  'a reference replaced by its target': {
    'Result/properties/video': object({ url: text, duration: number, fps: number }, 'url'),
  },
  'a reference extended with a property': {
    'Result/properties/video': { allOf: [ref('Clip'), object({ seed: integer })] },
  },
  'a value added to an enum of the output': { 'Result/properties/state/enum/4': 'paused' },
  'a value of an output enum that was renamed': { 'Result/properties/state/enum/0': 'submitted' },
  'an output enum that was opened': {
    'Result/properties/state': { anyOf: [{ ...text, enum: ['queued', 'dreaming', 'completed', 'failed'] }, text] },
  },
  'a string that became an object': {
    'Result/properties/failure_reason': { ...object({ code: text, message: text }, 'code'), nullable: true },
  },
  'a union limited to one of its alternatives': { 'Result/properties/source': ref('Still') },
  'a number that became an integer': { 'Result/properties/progress': { ...integer, minimum: 0, maximum: 1 } },
};

export const documentPairs: readonly DocumentPair[] = Object.entries(changes).map(([name, edits]) => ({
  ...known,
  name,
  before: wrap(schemas),
  after: wrap(edit(schemas, edits)),
}));
