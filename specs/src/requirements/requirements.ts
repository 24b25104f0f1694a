import { join } from 'node:path';
import { readYaml } from '../documents/read-document.ts';
import { packageRoot } from '../files.ts';

export type Requirement = {
  /** `MR-RUN-06`, `WX-JWF-02`: API, area, number; never changed. */
  id: string;
  level: 'must' | 'may' | 'note';
  section: string;
  statement: string;
  parties: ('spec' | 'server' | 'client' | 'generator')[];
  /** Where a violation shows: in the documents, one exchange, several, only in a client, or nowhere. */
  observe: 'static' | 'exchange' | 'scenario' | 'client' | 'none';
  /** What provoking a violation costs on a real endpoint. */
  cost: 'free' | 'billed';
};

/** A choice made where the description of an API leaves a point open. */
export type Assumption = { id: string; section: string; choice: string; why: string; override: string };

/**
 * What an API leaves to a server: by its own words (`text`), or because it says nothing and we chose (`reading`). A row of
 * requirements that leave no choice says `why`, and has no variants.
 */
export type Freedom = {
  id: string;
  text?: string;
  reading?: string;
  why?: string;
  /** Ids with spaces between. */
  requirements: string;
  variants?: string[];
  /** Every server of `conform --self-check --conforming` takes it. */
  always?: boolean;
};

const folder = join(packageRoot(), 'specs');
const registers = ['model-router.yaml', 'workflow-execution.yaml'].map((name) => join(folder, 'requirements', name));

let requirements: readonly Requirement[] | undefined;
let assumptions: readonly Assumption[] | undefined;

/** The whole register, router first, read once. A test checks its entries, and those of the assumptions. */
export function readRequirements(): readonly Requirement[] {
  requirements ??= registers.flatMap((path) => readYaml(path) as Requirement[]);
  return requirements;
}

/** All of them, read once. */
export function readAssumptions(): readonly Assumption[] {
  assumptions ??= readYaml(join(folder, 'assumptions.yaml')) as Assumption[];
  return assumptions;
}

export function readFreedoms(): readonly Freedom[] {
  return readYaml(join(folder, 'freedoms.yaml')) as Freedom[];
}

export function findRequirement(id: string): Requirement | undefined {
  return readRequirements().find((one) => one.id === id);
}
