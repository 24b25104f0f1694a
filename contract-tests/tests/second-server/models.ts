/** The parts of a model's schema document that differ between models. */
type Document = {
  readonly openapi: '3.0.3' | '3.1.0';
  readonly path?: '/';
  readonly input: object;
  readonly output: readonly [mediaType: string, schema: object];
  readonly components?: object;
  readonly isAuthored?: false;
};

export type Model = {
  readonly id: string;
  readonly behaviour: keyof typeof documents;
  readonly chargesOnRefusal: string;
  readonly priceCents: number;
  readonly durationMs: number;
  /** Other providers of the model. */
  readonly alternates: readonly string[];
  /** A retired model remains in the table, is not listed and cannot be run. */
  readonly isRetired: boolean;
  /** Only the workspace of `main` may use it. */
  readonly isPrivate: boolean;
};

const object = (properties: object, required: readonly string[] = [], more: object = {}) => {
  return { type: 'object', ...(required.length > 0 && { required }), properties, ...more };
};
const text = (maxLength: number, minLength = 0) => ({ type: 'string', minLength, maxLength });
const whole = (minimum: number, maximum: number) => ({ type: 'integer', minimum, maximum });
const anyText = { type: 'string' };
const isClosed = { additionalProperties: false };

const region = object({ label: anyText, weight: { type: 'number', minimum: 0, maximum: 1 } }, ['label', 'weight']);
const stillInput = {
  prompt: text(2000, 1),
  negative_prompt: text(2000),
  width: { ...whole(64, 2048), default: 768 },
  count: { ...whole(1, 4), default: 1 },
  style: { type: 'string', enum: ['photo', 'ink', 'clay'] },
  seed: { type: 'integer', nullable: true, minimum: 0 },
  regions: { type: 'array', maxItems: 8, items: { $ref: '#/components/schemas/Region' } },
};
const pictures = { type: 'array', items: object({ url: anyText, width: { type: 'integer' } }, ['url']) };
const still: Document = {
  openapi: '3.0.3',
  input: { $ref: '#/components/schemas/StillInput' },
  output: ['application/json', object({ pictures }, ['pictures'])],
  components: { schemas: { StillInput: object(stillInput, ['prompt'], isClosed), Region: region } },
};

const speed = { type: 'number', exclusiveMinimum: 0, maximum: 4 };
const voiceInput = object({ text: text(500, 1), speed, voice: { enum: ['low', 'high', null] } }, ['text']);

const camera = object({ path: { const: 'orbit' }, turns: { type: 'number', minimum: 0 } }, ['path'], isClosed);
const firstFrame = { type: ['string', 'null'], maxLength: 2048 };
const clipInput = { scene: text(9000, 1), seconds: { ...whole(1, 12), default: 4 }, first_frame: firstFrame, camera };
const link = object({ url: anyText });

const colours = { type: 'array', minItems: 1, items: { type: 'string', pattern: '^#[0-9a-f]{6}$' } };
const patternInput = object({ tiles: whole(1, 64), colours });

const documents = {
  still,
  flaky: still,
  voice: { openapi: '3.1.0', input: voiceInput, output: ['audio/wav', { type: 'string', format: 'binary' }] },
  clip: {
    openapi: '3.1.0',
    input: object(clipInput, ['scene']),
    output: ['application/json', object({ clip: link, last_frame: link }, ['clip'])],
  },
  caption: {
    openapi: '3.1.0',
    path: '/',
    input: { type: 'object', additionalProperties: true },
    output: ['*/*', {}],
    isAuthored: false,
  },
  pattern: { openapi: '3.1.0', input: patternInput, output: ['image/svg+xml', anyText] },
} as const satisfies Record<string, Document>;

export const findDocument = ({ behaviour }: Pick<Model, 'behaviour'>): Document => documents[behaviour];

const usual = {
  chargesOnRefusal: 'no',
  priceCents: 4,
  durationMs: 15,
  alternates: [],
  isRetired: false,
  isPrivate: false,
};
const row = (id: string, behaviour: Model['behaviour'], special: Partial<Model> = {}): Model => {
  return { id, behaviour, ...usual, ...special };
};
const second = { alternates: ['second-image-provider'] };

export const models: readonly Model[] = [
  row('image-provider/still-1.2', 'still', { chargesOnRefusal: 'yes', ...second }),
  row('image-provider/still-1.0', 'still', { isRetired: true }),
  row('image-provider/flaky-still', 'flaky', second),
  row('media-provider/4x-upscale', 'pattern', { priceCents: 9 }),
  row('private-provider/inner-circle', 'pattern', { isPrivate: true }),
  row('speech-provider/voice_en', 'voice'),
  row('text-provider/caption.xl', 'caption', { priceCents: 1 }),
  ...Array.from({ length: 24 }, (_, index) =>
    row(`texture-provider/pattern-${String(index + 1).padStart(2, '0')}`, 'pattern', {
      chargesOnRefusal: index % 5 === 4 ? 'partially' : 'unknown',
      isRetired: index >= 7 && index <= 9,
    }),
  ),
  row('video-provider/clip-2', 'clip', { durationMs: 700, priceCents: 180, chargesOnRefusal: 'yes' }),
];

export function printDocument(model: Model): string {
  const { openapi, path, input, output, components, isAuthored = true } = findDocument(model);
  const [mediaType, schema] = output;
  const requestBody = { required: true, content: { 'application/json': { schema: input } } };
  const responses = { 200: { description: 'The result.', content: { [mediaType]: { schema } } } };
  return JSON.stringify({
    openapi,
    info: { title: model.id, version: '2026-09' },
    paths: { [path ?? `/v2/models/${model.id}`]: { post: { requestBody, responses } } },
    ...(components && { components }),
    'x-service-input-schema-authored': isAuthored,
  });
}
