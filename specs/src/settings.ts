import { type Brand, defaultBrand } from './brand.ts';
import { SpecError } from './errors.ts';

/** What an owner may say about the service behind the specifications without editing them. */
export type SpecSettings = {
  brand: Brand;
  /** Names of the two queue statuses besides COMPLETED (MR-QUE-04, NS-01). */
  queueStatuses: readonly [waiting: string, running: string];
  /** Paths of OpenAPI Overlay documents, applied in this order. */
  overlays: readonly string[];
};

export const printedQueueStatuses: readonly [string, string] = ['IN_QUEUE', 'IN_PROGRESS'];

export const defaultSpecSettings: SpecSettings = {
  brand: defaultBrand,
  queueStatuses: printedQueueStatuses,
  overlays: [],
};

/** Throws SpecError when the two statuses could not stand in one closed set with COMPLETED. */
export function checkSettings({ queueStatuses: [waiting, running] }: SpecSettings): void {
  for (const status of [waiting, running]) {
    if (!/^[A-Za-z][A-Za-z0-9_-]*$/.test(status)) {
      throw new SpecError(`queue status must be a word of letters, digits, _ and -; got ${JSON.stringify(status)}`);
    }
  }
  if (new Set([waiting, running, 'COMPLETED']).size < 3) {
    throw new SpecError(`queue statuses must be two words other than COMPLETED; got ${waiting} and ${running}`);
  }
}
