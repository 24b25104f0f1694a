import type { Connection as AnyConnection, WorkOf } from '../http/connection.ts';
import type { KeyStore } from './key-store.ts';
import type { Limits } from './limits.ts';
import type { ProviderOptions, SubscribeOptions } from './options.ts';

export type Connection = AnyConnection & {
  /** Origins that may receive the credential, the base address's own included. */
  readonly trustedOrigins: ReadonlySet<string>;
  /** Whether the router's own path at another origin is asked for at the base address. */
  readonly mapsAddresses: boolean;
  /** The word in header names for which the API documents write Service, in lower case. */
  readonly brand: string;
  readonly limits: Limits;
  readonly keys: KeyStore;
  /** Whether that is the memory of the client itself, for which nothing has to be bounded. */
  readonly hasOwnKeys: boolean;
  /** How long one attempt of a run may take; above the ten minutes that the router holds a call (MR-LIM-10). */
  readonly runTimeoutMs: number;
};

/** One call of a method, with whichever options it has. */
export type Work = WorkOf<Connection, SubscribeOptions & ProviderOptions>;
