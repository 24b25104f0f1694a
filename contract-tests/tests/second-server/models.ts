import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';

// The table of models. Retired rows stay in it, are not listed and cannot be run.

export type Behaviour = 'still' | 'flaky' | 'voice' | 'clip' | 'caption' | 'upscale' | 'pattern' | 'obedient' | Hooked;

/** Models of the test hooks. */
type Hooked = 'outcomes' | 'second-outcomes' | 'gallery';

export type Model = {
  readonly id: string;
  readonly provider: string;
  readonly model: string;
  readonly behaviour: Behaviour;
  readonly chargesOnRefusal: string;
  readonly priceCents: number;
  readonly durationMs: number;
  /** How long a synchronous call is held. */
  readonly holdMs: number;
  /** Places at the provider for queued requests, and how long a request waits for one. */
  readonly slots: number;
  readonly queueTimeoutMs: number;
  readonly alternates: readonly string[];
  readonly retired: boolean;
  readonly innerCircle: boolean;
};

const minutes = (count: number) => count * 60_000;

export function row(id: string, behaviour: Behaviour, special: Partial<Model> = {}): Model {
  const [provider = '', model = ''] = id.split('/');
  return {
    id,
    provider,
    model,
    behaviour,
    chargesOnRefusal: 'no',
    priceCents: 4,
    durationMs: 15,
    holdMs: minutes(10),
    slots: 4,
    queueTimeoutMs: minutes(30),
    alternates: [],
    retired: false,
    innerCircle: false,
    ...special,
  };
}

const pattern = (number: number): Model =>
  row(`texture-provider/pattern-${String(number).padStart(2, '0')}`, 'pattern', {
    chargesOnRefusal: number % 5 === 0 ? 'partially' : 'unknown',
    retired: number >= 8 && number <= 10,
  });

export const catalogModels: readonly Model[] = [
  row('image-provider/still-1.2', 'still', { chargesOnRefusal: 'yes', alternates: ['second-image-provider'] }),
  row('image-provider/still-1.0', 'still', { retired: true }),
  row('image-provider/flaky-still', 'flaky', { alternates: ['second-image-provider'] }),
  row('lab-provider/obedient-1', 'obedient', { chargesOnRefusal: 'unknown', alternates: ['second-lab-provider'] }),
  row('media-provider/4x-upscale', 'upscale', { priceCents: 9 }),
  row('private-provider/inner-circle', 'pattern', { innerCircle: true }),
  row('speech-provider/voice_en', 'voice'),
  row('text-provider/caption.xl', 'caption', { priceCents: 1 }),
  ...Array.from({ length: 24 }, (_, index) => pattern(index + 1)),
  row('video-provider/clip-2', 'clip', { durationMs: 700, priceCents: 180, chargesOnRefusal: 'yes' }),
  row('video-provider/clip-2-long', 'clip', { durationMs: 1500, holdMs: 400, priceCents: 340 }),
  row('video-provider/overbooked', 'clip', { slots: 0, queueTimeoutMs: 5000, priceCents: 180 }),
];

export const hookedModels: readonly Model[] = [
  row('sandbox/outcomes', 'outcomes', { alternates: ['sandbox-two'], priceCents: 2, slots: 1000 }),
  row('sandbox-two/outcomes', 'second-outcomes', { priceCents: 2, slots: 1000 }),
];

const templates = new Map<string, string>();

function readTemplate(behaviour: Behaviour): string {
  const name = behaviour === 'flaky' ? 'still' : behaviour;
  const known = templates.get(name) ?? readFileSync(new URL(`./models/${name}.json`, import.meta.url), 'utf8');
  templates.set(name, known);
  return known;
}

/** The schema document of a model as bytes, with the extension keys of the brand. */
export function printDocument(model: Model, brand: string): string {
  return readTemplate(model.behaviour)
    .replaceAll('%ID%', model.id)
    .replaceAll('"x-service-', `"x-${brand.toLowerCase()}-`);
}

export const strongTag = (bytes: string): string =>
  `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`;
