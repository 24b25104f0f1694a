import type { Brand } from '../brand.ts';
import type { JsonObject } from '../json.ts';

/** One thing wrong with a document: which check says so, and where (a JSON pointer). */
export type SpecProblem = { check: string; document: string; place: string; message: string };

/** A document under check, by its file name. */
export type CheckedDocument = { name: string; content: JsonObject; brand: Brand };

/** What a check found, and how much of its kind it has looked at: a check that saw nothing proves nothing. */
export type CheckResult = { problems: readonly SpecProblem[]; seen: number };
