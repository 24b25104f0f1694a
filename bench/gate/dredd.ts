import type { EffectiveSpecs } from '../../specs/src/index.ts';
import type { Deviation } from './own-gate.ts';

export type DreddTrial = { findings: ReadonlySet<string>; calls: number; seconds: number };
export type Dredd = {
  /** Why it cannot be asked. */ problem: string | undefined;
  judge(deviation: Deviation): Promise<DreddTrial>;
};

export async function prepareDredd(_specs: EffectiveSpecs, _folder: string): Promise<Dredd> {
  return { problem: 'not built yet', judge: async () => ({ findings: new Set(), calls: 0, seconds: 0 }) };
}
