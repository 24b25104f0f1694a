import type { BenchDocument } from '../../documents/document.ts';
import type { Subject } from '../subject.ts';

/** A tool that prints types of model documents. */
export type Candidate = {
  name: string;
  /** Writes types for all documents below `folder`; a document that fails does not affect the others. */
  make(documents: readonly BenchDocument[], folder: string): Promise<Made>;
};
export type Made = {
  /** The reason for missing types, by model id. */
  failed: ReadonlyMap<string, string>;
  /** The file of a model's types, to find its diagnostics. */
  findFile(model: string): string;
  /** Statements that declare the type `Subject` of a side. */
  declare(subject: Subject): string;
  /** Compiler options beyond the common ones. */
  paths?: Record<string, string[]>;
};

export function toMessage(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).split('\n', 1)[0] ?? '';
}
