import { join } from 'node:path';
import { readYaml } from '../documents/read-document.ts';
import { packageRoot } from '../files.ts';

export type Requirement = {
  /** Permanent id: API, area and number, such as `MR-RUN-06`. */
  id: string;
  level: 'must' | 'may' | 'note';
  section: string;
  statement: string;
  parties: ('spec' | 'server' | 'client' | 'generator')[];
  /**
   * Where a violation can be seen: in the documents, in one exchange, in several exchanges, only in a client, or
   * nowhere.
   */
  observe: 'static' | 'exchange' | 'scenario' | 'client' | 'none';
  /** `billed` if testing the requirement on a real endpoint costs money. */
  cost: 'free' | 'billed';
};

/** A decision where the API text is silent (`assumption`), or ambiguous or incomplete (`reading`). */
export type Choice = {
  id: string;
  kind: 'assumption' | 'reading';
  section: string;
  choice: string;
  question?: string;
  why?: string;
  /** The setting that selects a different reading. */
  override?: string;
};

/**
 * A behaviour that a server may choose, because the API text leaves it open (`text`), or an assumption or reading does
 * (`reading`, its id). A row for requirements that leave nothing open has a `why` and no variants.
 */
export type Freedom = {
  id: string;
  kind: 'freedom';
  text?: string;
  reading?: string;
  why?: string;
  /** Ids separated by spaces. */
  requirements: string;
  /** Ids of the sandbox variants that have this behaviour. */
  variants?: string[];
  /** True if every server of `conform --self-check --conforming` has this behaviour. */
  always?: boolean;
};

export type OpenPoint = Choice | Freedom;

const folder = join(packageRoot(), 'specs');
const registers = ['model-router.yaml', 'workflow-execution.yaml'].map((name) => join(folder, 'requirements', name));

let requirements: readonly Requirement[] | undefined;
let openPoints: readonly OpenPoint[] | undefined;

/** Returns the requirements of both APIs, router first. Reads the files once. */
export function readRequirements(): readonly Requirement[] {
  requirements ??= registers.flatMap((path) => readYaml(path) as Requirement[]);
  return requirements;
}

/** Returns all points that the APIs leave open. Reads the file once. */
export function readOpenPoints(): readonly OpenPoint[] {
  openPoints ??= readYaml(join(folder, 'open-points.yaml')) as OpenPoint[];
  return openPoints;
}

/** Returns a description of each fault that the sandbox can have, by the id of the fault. */
export function readFaultDescriptions(): Readonly<Record<string, string>> {
  return readYaml(join(folder, 'faults.yaml')) as Record<string, string>;
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
