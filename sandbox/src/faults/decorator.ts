import type { Brand, EffectiveSpecs } from '../../../specs/src/index.ts';
import type { Clock } from '../clock.ts';

export type App = (request: Request) => Promise<Response>;

/** What a decorator may know: never the world, so that nothing of a fault can sit inside a handler. */
export type DecoratorContext = {
  brand: Brand;
  clock: Clock;
  specs: EffectiveSpecs;
  /** Seeded, in [0, 1). */
  random(): number;
};

/** Called once per sandbox; what it remembers between requests lives in its closure. */
export type Decorator = (app: App, context: DecoratorContext) => App;

/** A deliberate violation of `requirements`; `trips` are further ones that it cannot help breaking. */
export type Fault = {
  id: string;
  requirements: readonly string[];
  description: string;
  trips?: readonly string[];
  decorate: Decorator;
};

/** Allowed behaviour that looks wrong: no rule may complain of it. `requirements` are those it comes near to. */
export type Variant = {
  id: string;
  requirements: readonly string[];
  description: string;
  decorate: Decorator;
};
