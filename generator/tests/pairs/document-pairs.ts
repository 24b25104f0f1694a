import { isJsonObject, type JsonObject, type JsonValue } from '../../../specs/src/index.ts';
import { integer, list, number, object, ref, text } from './pair-words.ts';

/** A document before and after a change, with values and programs of consumers of the older document. */
export type DocumentPair = Known & { readonly name: string; readonly before: JsonObject; readonly after: JsonObject };
/**
 * The values and programs of consumers of the older document. Programs are statements that may use a parameter `output`;
 * exported types are members of `Api`.
 */
export type Known = {
  readonly inputs: readonly JsonObject[];
  readonly outputs: readonly JsonObject[];
  readonly writes: readonly string[];
  readonly reads: readonly string[];
};
/** New values by their locations below `/components/schemas`; undefined removes a value. */
type Edits = Readonly<Record<string, JsonValue | undefined>>;
type Model = Known & { readonly schemas: JsonObject; readonly changes: Readonly<Record<string, Edits>> };

/** A document with the structure of published ones; `Input` and `Output` are its request and its result. */
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

function pairsOf(subject: string, { schemas, changes, ...known }: Model): DocumentPair[] {
  const before = wrap(schemas);
  return Object.entries(changes).map(([name, edits]) => ({
    ...known,
    name: `${subject}: ${name}`,
    before,
    after: wrap(edit(schemas, edits)),
  }));
}

const link: JsonObject = { type: 'string', format: 'uri' };

const draw: Model = {
  schemas: {
    Request: object(
      {
        prompt: { ...text, minLength: 1, maxLength: 2000, description: 'What to draw.' },
        negative_prompt: { ...text, default: '' },
        image_size: {
          anyOf: [ref('Size'), { ...text, enum: ['square_hd', 'portrait_4_3', 'landscape_4_3'] }],
          default: 'square_hd',
        },
        num_images: { ...integer, minimum: 1, maximum: 4, default: 1 },
        seed: { ...integer, nullable: true },
        guidance_scale: { ...number, minimum: 1, maximum: 20, default: 3.5 },
        loras: { ...list(ref('Lora')), default: [] },
        output_format: { ...text, enum: ['jpeg', 'png'], default: 'jpeg' },
        sync_mode: { type: 'boolean', default: false },
      },
      'prompt',
    ),
    Size: object({
      width: { ...integer, exclusiveMinimum: 0, maximum: 14142 },
      height: { ...integer, exclusiveMinimum: 0, maximum: 14142 },
    }),
    Lora: object({ path: text, scale: { ...number, minimum: 0, maximum: 4, default: 1 } }, 'path'),
    Image: object(
      { url: text, width: integer, height: integer, content_type: { ...text, default: 'image/jpeg' } },
      'url',
    ),
    Result: object(
      {
        images: list(ref('Image')),
        timings: { type: 'object', additionalProperties: number },
        seed: integer,
        has_nsfw_concepts: list({ type: 'boolean' }),
        prompt: text,
      },
      'images',
      'timings',
      'seed',
      'has_nsfw_concepts',
      'prompt',
    ),
  },
  inputs: [
    { prompt: 'a cat' },
    { prompt: 'a cat', image_size: 'square_hd', num_images: 4, seed: null },
    { prompt: 'a cat', image_size: { width: 4000, height: 512 }, loras: [{ path: 'a', scale: 0 }, { path: 'b' }] },
    { prompt: 'a cat', seed: -1, guidance_scale: 1, output_format: 'png', sync_mode: true, negative_prompt: '' },
    { prompt: 'a cat', loras: [{ path: 'a' }, { path: 'b' }, { path: 'c' }] },
  ],
  outputs: [
    { images: [{ url: 'u' }], timings: {}, seed: 1, has_nsfw_concepts: [false], prompt: 'a cat' },
    { images: [], timings: { inference: 1.5 }, seed: 1, has_nsfw_concepts: [], prompt: '' },
    {
      images: [{ url: 'u', width: 1, height: 1, content_type: 'image/png' }],
      timings: {},
      seed: 1,
      has_nsfw_concepts: [],
      prompt: '',
    },
  ],
  writes: [
    'const size: Api.Size = { width: 512 }; const input: Api.Input = { prompt: "", image_size: size }; input.seed = 7;',
    'const input: Api.Input = { prompt: "" }; input.loras = [...input.loras ?? [], { path: "" }];',
    'const sizes = ["square_hd", "portrait_4_3"] as const; const input: Api.Input = { prompt: "", image_size: sizes[0] };',
  ],
  reads: [
    'for (const image of output.images) { const link: string = image.url; const wide: number = image.width ?? 0; }',
    'const first: Api.Image | undefined = output.images[0]; const time: number = output.timings["inference"] ?? 0;',
    'const names: string[] = output.prompt.split(" "); const even: boolean = output.seed % 2 === 0;',
    'const times: Record<string, number> = output.timings; const bad = output.has_nsfw_concepts.some((one) => one);',
  ],
  changes: {
    'four images become eight': { 'Request/properties/num_images/maximum': 8 },
    'four images become two': { 'Request/properties/num_images/maximum': 2 },
    'a further format': { 'Request/properties/output_format/enum/2': 'webp' },
    'a format less': { 'Request/properties/output_format/enum/0': undefined },
    'sizes only by name': {
      'Request/properties/image_size': { ...text, enum: ['square_hd', 'portrait_4_3', 'landscape_4_3'] },
    },
    'sizes in another order': {
      'Request/properties/image_size/anyOf/0': { ...text, enum: ['landscape_4_3', 'square_hd', 'portrait_4_3'] },
      'Request/properties/image_size/anyOf/1': ref('Size'),
    },
    'a required size': { 'Size/required': ['width', 'height'] },
    'a limit of the width': { 'Size/properties/width/maximum': 2048 },
    'the same limit in other words': {
      'Size/properties/width': { ...integer, minimum: 1, maximum: 14142 },
      'Size/properties/height': { ...integer, minimum: 1, maximum: 14142 },
    },
    'a seed that is never null': { 'Request/properties/seed/nullable': undefined },
    'another guidance by default': { 'Request/properties/guidance_scale/default': 5 },
    'a guidance above one': { 'Request/properties/guidance_scale/exclusiveMinimum': true },
    'no negative prompt': { 'Request/properties/negative_prompt': undefined },
    'an optional strength': { 'Request/properties/strength': { ...number, minimum: 0, maximum: 1 } },
    'a required image': { 'Request/properties/image_url': text, 'Request/required/1': 'image_url' },
    'longer prompts': { 'Request/properties/prompt/maxLength': 5000 },
    'prompts of any length': { 'Request/properties/prompt': text },
    'other words': { 'Request/properties/prompt/description': 'The prompt.', 'Image/description': 'A picture.' },
    'a wider scale of a part': { 'Lora/properties/scale/maximum': 10 },
    'parts only by path': { 'Request/properties/loras/items': text },
    'parts by path too': { 'Request/properties/loras/items': { anyOf: [ref('Lora'), text] } },
    'a part under another name': {
      Weight: object({ path: text, scale: number }, 'path'),
      'Request/properties/loras/items': ref('Weight'),
      Lora: undefined,
    },
    'closed inputs': { 'Request/additionalProperties': false },
    'outputs that name no further members': { 'Result/additionalProperties': false },
    'a size of the file': { 'Image/properties/file_size': integer },
    'a size of the file, always': { 'Image/properties/file_size': integer, 'Image/required/1': 'file_size' },
    'a link that may be null': { 'Image/properties/url/nullable': true },
    'a link that may be missing': { 'Image/required': [] },
    'a width that is always there': { 'Image/required/1': 'width' },
    'a width that need not be whole': { 'Image/properties/width': number },
    'no type of content': { 'Image/properties/content_type': undefined },
    'one image': { 'Result/properties/images': ref('Image'), 'Result/properties/image': undefined },
    'image in place of images': {
      'Result/properties/images': undefined,
      'Result/properties/image': ref('Image'),
      'Result/required/0': 'image',
    },
    'images in an allOf': { 'Result/properties/images/items': { allOf: [ref('Image')], title: 'Image' } },
    'images written out': {
      'Result/properties/images/items': object(
        { url: text, width: integer, height: integer, content_type: text },
        'url',
      ),
    },
    'timings that may be null': { 'Result/properties/timings/additionalProperties/nullable': true },
    'named timings': { 'Result/properties/timings': object({ inference: number }, 'inference') },
    'a named timing next to others': { 'Result/properties/timings/properties': { inference: number } },
    'timings now and then': { 'Result/required/1': undefined },
    'timings of any kind': { 'Result/properties/timings': { type: 'object' } },
    'a seed as text': { 'Result/properties/seed': text },
    'a seed of any size': { 'Result/properties/seed': { ...integer, format: 'int64' } },
    'a flag': { 'Result/properties/has_nsfw_concepts': { type: 'boolean' } },
    'a prompt with a bound': { 'Result/properties/prompt/maxLength': 100 },
    'an output by reference': { Picture: ref('Image'), 'Result/properties/images/items': ref('Picture') },
  },
};

const film: Model = {
  schemas: {
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
  },
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
  changes: {
    'a further model': { 'Request/properties/model/enum/2': 'ray-3' },
    'a model less': { 'Request/properties/model/enum/1': undefined },
    'any model': { 'Request/properties/model': text },
    'a model by itself': {
      Model: { ...text, enum: ['ray-2', 'ray-flash-2'] },
      'Request/properties/model': ref('Model'),
    },
    'the model by default': { 'Request/required/1': undefined },
    'a further duration that is known': { 'Request/properties/duration/anyOf/0/enum/2': '10s' },
    'only known durations': { 'Request/properties/duration': { ...text, enum: ['5s', '9s'] } },
    'durations as a number too': { 'Request/properties/duration/anyOf/2': integer },
    'a further kind of keyframe': {
      Motion: object({ type: { ...text, enum: ['motion'] }, path: text }, 'type', 'path'),
      'Keyframe/oneOf/2': ref('Motion'),
      'Keyframe/discriminator/mapping/motion': '#/components/schemas/Motion',
    },
    'a kind of keyframe less': {
      'Keyframe/oneOf/0': undefined,
      'Keyframe/discriminator/mapping/generation': undefined,
      FormerVideo: undefined,
    },
    'one kind under two tags': { 'Still/properties/type/enum/1': 'picture' },
    'a crop of stills': { 'Still/properties/crop': { ...text, enum: ['center', 'top'] } },
    'a crop of stills, always': { 'Still/properties/crop': text, 'Still/required/2': 'crop' },
    'stills without an address': { 'Still/required': ['type'] },
    'an id of another form': { 'FormerVideo/properties/id': { ...text, pattern: '^[0-9a-f-]{36}$' } },
    'keyframes by name': { 'Request/properties/keyframes': { type: 'object', additionalProperties: ref('Keyframe') } },
    'keyframes in a list': { 'Request/properties/keyframes': list(ref('Keyframe')) },
    'a resolution by name': { 'Request/properties/resolution': { ...text, enum: ['540p', '720p'] } },
    'a resolution by name too': {
      'Request/properties/resolution': {
        anyOf: [
          { type: 'array', items: integer, minItems: 2, maxItems: 2 },
          { ...text, enum: ['720p'] },
        ],
      },
    },
    'smaller steps': { 'Request/properties/start_frame/multipleOf': 4 },
    'steps of another size': { 'Request/properties/start_frame/multipleOf': 12 },
    'addresses are checked': { 'Request/properties/callback_url/pattern': '^https://' },
    'a video written out': { 'Result/properties/video': object({ url: text, duration: number, fps: number }, 'url') },
    'a list of videos': { 'Result/properties/video': list(ref('Clip')) },
    'a video with members of its own': {
      'Result/properties/video': { allOf: [ref('Clip'), object({ seed: integer })] },
    },
    'an address of a video in an object': { 'Clip/properties/url': object({ href: text }, 'href') },
    'a further state': { 'Result/properties/state/enum/4': 'paused' },
    'a state less': { 'Result/properties/state/enum/1': undefined },
    'a state renamed': { 'Result/properties/state/enum/0': 'submitted' },
    'any state': { 'Result/properties/state': text },
    'an open list of states': {
      'Result/properties/state': { anyOf: [{ ...text, enum: ['queued', 'dreaming', 'completed', 'failed'] }, text] },
    },
    'a reason with a code': {
      'Result/properties/failure_reason': { ...object({ code: text, message: text }, 'code'), nullable: true },
    },
    'a reason that is never null': { 'Result/properties/failure_reason/nullable': undefined },
    'the source as one kind': { 'Result/properties/source': ref('Still') },
    'progress in percent': { 'Result/properties/progress/maximum': 100 },
    'progress in whole steps': { 'Result/properties/progress': { ...integer, minimum: 0, maximum: 1 } },
  },
};

export const documentPairs: readonly DocumentPair[] = [...pairsOf('pictures', draw), ...pairsOf('films', film)];
