import type { Brand } from '../../specs/src/index.ts';
import { createApp } from './app.ts';
import type { Clock } from './clock.ts';
import { type SandboxCredentials, sandboxCredentials } from './credentials.ts';
import { sha256 } from './digest.ts';
import { SandboxError } from './errors.ts';
import type { App, Decorator, DecoratorContext } from './faults/decorator.ts';
import { faults, variants } from './faults/index.ts';
import { resolveOptions, type SandboxOptions } from './options.ts';
import { createRandom } from './random.ts';
import { type SandboxJobs, sandboxJobs } from './state/jobs.ts';
import { createWorld } from './state/world.ts';

/** Both APIs on one origin, as a function from request to response; `fetch` rejects only where a fault wants it so. */
export type Sandbox = {
  fetch(request: Request): Promise<Response>;
  clock: Clock;
  brand: Brand;
  /** The first model of the catalog, for whoever needs one to try; undefined in an empty catalog. */
  exampleModel: string | undefined;
  credentials: SandboxCredentials;
  jobs: SandboxJobs;
  /** Ends what is held; nothing else needs to be released. */
  close(): void;
};

/** Throws SandboxError for an unknown fault or variant. The first named fault sits closest to the healthy application. */
export function createSandbox(options: SandboxOptions): Sandbox {
  const config = resolveOptions(options);
  const decorators = [
    ...chosen('fault', faults, options.faults ?? []),
    ...chosen('variant', variants, options.variants ?? []),
  ];
  const context: DecoratorContext = {
    brand: config.brand,
    clock: config.clock,
    specs: options.specs,
    random: createRandom(`faults ${config.seed}`),
  };
  const closing = new AbortController();
  const healthy = createApp({
    config,
    world: createWorld(config),
    cursorSecret: sha256(`cursors ${config.seed}`),
    closing: closing.signal,
  });
  return {
    fetch: decorators.reduce<App>((inner, decorate) => decorate(inner, context), healthy),
    clock: config.clock,
    brand: config.brand,
    exampleModel: config.catalog[0]?.id,
    credentials: sandboxCredentials,
    jobs: sandboxJobs,
    close: () => closing.abort(),
  };
}

type Named = { id: string; requirements: readonly string[]; description: string; decorate: Decorator };

function chosen(kind: string, known: readonly Named[], ids: readonly string[]): Decorator[] {
  return ids.map((id) => {
    const found = known.find((one) => one.id === id);
    if (found === undefined) throw new SandboxError(`there is no ${kind} called ${JSON.stringify(id)}`);
    return found.decorate;
  });
}

export type FaultEntry = {
  id: string;
  requirements: readonly string[];
  description: string;
  trips?: readonly string[];
};
export type VariantEntry = Omit<FaultEntry, 'trips'>;

export function listFaults(): readonly FaultEntry[] {
  return faults.map(({ id, requirements, description, trips }) => ({
    id,
    requirements,
    description,
    ...(trips === undefined ? {} : { trips }),
  }));
}

export function listVariants(): readonly VariantEntry[] {
  return variants.map(({ id, requirements, description }) => ({ id, requirements, description }));
}
