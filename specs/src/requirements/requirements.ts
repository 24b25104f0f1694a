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
  /** The cost of provoking a violation on a real endpoint. */
  cost: 'free' | 'billed';
};

/** A choice where an API says nothing (`assumption`), or says it in more than one way or not in full (`reading`). */
export type Choice = {
  id: string;
  kind: 'assumption' | 'reading';
  section: string;
  choice: string;
  question?: string;
  why?: string;
  /** The setting with which an owner chooses another reading. */
  override?: string;
};

/**
 * A behaviour that a server may choose: the API text allows it (`text`), or our reading does (`reading`, the id of a choice). A row
 * of requirements that leave no choice has a `why` and no variants.
 */
export type Freedom = {
  id: string;
  kind: 'freedom';
  text?: string;
  reading?: string;
  why?: string;
  /** Ids with spaces between. */
  requirements: string;
  variants?: string[];
  /** Every server of `conform --self-check --conforming` takes it. */
  always?: boolean;
};

export type OpenPoint = Choice | Freedom;

const folder = join(packageRoot(), 'specs');
const registers = ['model-router.yaml', 'workflow-execution.yaml'].map((name) => join(folder, 'requirements', name));

let requirements: readonly Requirement[] | undefined;
let openPoints: readonly OpenPoint[] | undefined;

/** Returns the requirements of both APIs, router first. The files are read once. */
export function readRequirements(): readonly Requirement[] {
  requirements ??= registers.flatMap((path) => readYaml(path) as Requirement[]);
  return requirements;
}

/** All points that the APIs leave open, read once. */
export function readOpenPoints(): readonly OpenPoint[] {
  openPoints ??= readYaml(join(folder, 'open-points.yaml')) as OpenPoint[];
  return openPoints;
}

export function readChoices(): readonly Choice[] {
  return readOpenPoints().filter((point) => point.kind !== 'freedom');
}

export function readFreedoms(): readonly Freedom[] {
  return readOpenPoints().filter((point) => point.kind === 'freedom');
}

export function findRequirement(id: string): Requirement | undefined {
  return readRequirements().find((one) => one.id === id);
}
