import { decodeSegment } from '../contract/requests.ts';
import type { Rule } from '../contract/rule.ts';
import { meetsRequisite, type Target } from '../contract/target.ts';
import { listRows, type RequisiteKind, requisites } from '../requires.ts';
import type { FindingRecord } from './report.ts';

const configuredKinds: readonly RequisiteKind[] = ['credential', 'job', 'statement', 'input'];
const deterministic = 'conform.live.models[].deterministic';
const input = 'conform.live.models[].input';

/** Lists the settings of a live target that findings rely on: one of them may be wrong instead of the target. */
export function listReliedSettings(rule: Rule, findings: readonly FindingRecord[], target: Target): readonly string[] {
  if (target.kind !== 'live') return [];
  const required = rule.requires.flatMap((condition) => {
    const row = listRows(condition).find((one) => meetsRequisite(target, one));
    return row !== undefined && configuredKinds.includes(row.kind) ? (row.setting ?? []) : [];
  });
  const models = target.budget?.models ?? [];
  const findModel = ({ seen }: FindingRecord) =>
    models.find(
      ({ id }) => seen !== undefined && decodeSegment(new URL(seen.url).pathname).includes(`/v2/models/${id}`),
    );
  // Replays must repeat the first response even for a model that isn't deterministic.
  const comparesRuns =
    rule.concern !== 'money' &&
    findings.some(
      (one) => (one.code === 'bytes-differ' || one.code === 'values-differ') && findModel(one)?.deterministic === true,
    );
  const isRefused = findings.some(
    (one) =>
      one.concern === 'served' &&
      one.seen?.method === 'POST' &&
      [400, 422].includes(one.seen.status ?? 0) &&
      findModel(one),
  );
  return [...new Set([...required, ...(comparesRuns ? [deterministic] : []), ...(isRefused ? [input] : [])])];
}

const sentences = new Map([
  ...requisites.map(({ setting, sentence }) => [setting, sentence] as const),
  [deterministic, 'The same input always gives the same output.'],
  [input, 'The model accepts this input.'],
]);

export function describeSetting(setting: string): string {
  return sentences.get(setting) ?? '';
}
