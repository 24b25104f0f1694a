import type { BenchDocument } from '../documents/document.ts';
import type { BenchOptions } from '../options.ts';

/** What all parts of the bench share. */
export type SandboxSetting = {
  options: BenchOptions;
  product: string;
  folder: string;
  documents: readonly BenchDocument[];
};
