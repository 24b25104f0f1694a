import type { ModelId } from '../catalog/model-id.ts';
import type { ModelSelection } from '../catalog/select-models.ts';
import { diagnosticTexts } from '../diagnostic-texts.ts';
import { type Diagnostic, listFirst, severities, sortDiagnostics } from '../diagnostics.ts';
import type { Failure } from '../documents/open-documents.ts';
import type { Output } from '../output/output-folder.ts';
import { countWrites, type Write, type WriteCounts, type WritePlan } from '../output/plan-writes.ts';
import { type Differences, findDifferences, renderDifferences } from './differences.ts';

export type GenerationReport = {
  models: {
    /** Number of models in the catalog. */
    listed: number;
    /** Number of models that the settings select. */
    selected: number;
    generated: number;
    failed: number;
    /** Number of failed models whose document could not be read. */
    unread: number;
  };
  /** Numbers of requests for schema documents; `pages` counts catalog pages. */
  requests: { pages: number; asked: number; notModified: number; fetched: number };
  files: WriteCounts;
  /** Paths of files that were not overwritten, because a user edited or created them. */
  refused: readonly string[];
  diagnostics: readonly Diagnostic[];
  /** True if the run changed the output, would change it (for a check), or could not write all files. */
  changed: boolean;
  /** The differences found by a check. */
  differences?: Differences;
};

type FinishedGeneration = {
  catalog: ModelSelection;
  selection: ModelSelection;
  models: { failed: ReadonlyMap<ModelId, Failure>; diagnostics: readonly Diagnostic[] };
  requests: GenerationReport['requests'];
  plan: WritePlan;
  /** The output before the run. */
  output: Pick<Output, 'lockDigest' | 'isDamaged' | 'lock'>;
  isCheck: boolean;
};

export function reportGeneration(generation: FinishedGeneration): GenerationReport {
  const { catalog, selection, models, requests, plan, output, isCheck } = generation;
  const files = countWrites(plan);
  const diagnostics = [catalog, selection, models].flatMap((one) => one.diagnostics);
  const failures = [...models.failed.values()];
  // If the router withholds every document, they all count as unread: the problem isn't specific to a model.
  const isAllWithheld = failures.length > 1 && failures.length === selection.entries.length;
  const refused = plan.writes.flatMap((write) => (write.kind === 'refuse' ? [write] : []));
  const damaged = output.isDamaged ? [damagedLockWarning] : [];
  return {
    models: {
      listed: catalog.entries.length,
      selected: selection.entries.length,
      generated: selection.entries.length - failures.length,
      failed: failures.length,
      unread: failures.filter((why) => why === 'unread' || (isAllWithheld && why === 'withheld')).length,
    },
    requests,
    files,
    refused: refused.map(({ path }) => path),
    diagnostics: sortDiagnostics([...diagnostics, ...damaged, ...refused.map(describeRefusal)]),
    changed:
      plan.lockDigest !== output.lockDigest || refused.length > 0 || files.created + files.replaced + files.removed > 0,
    ...(isCheck ? { differences: findDifferences(plan.writes, [output.lock, plan.lock]) } : {}),
  };
}

const damagedLockWarning: Diagnostic = {
  severity: 'warning',
  code: 'lockfile-damaged',
  message: 'the lockfile cannot be read, so files that differ from the new output are treated as edited by hand',
};

function describeRefusal({ path, because }: Extract<Write, { kind: 'refuse' }>): Diagnostic {
  const reason =
    because === 'edited-by-hand' ? 'edited after it was generated' : 'not generated according to the lockfile';
  return { severity: 'error', code: because, message: `${path} was ${reason}, so it was not overwritten` };
}

/** Warns that the files of models from earlier runs are removed, because the models are no longer selected. */
export function warnAboutUnselectedModels(
  { catalog, selection, output }: Pick<FinishedGeneration, 'catalog' | 'selection' | 'output'>,
  isCheck: boolean,
): readonly Diagnostic[] {
  if (selection.entries.length === catalog.entries.length) return [];
  const selected = new Set(selection.entries.map(({ id }) => id));
  const earlier = output.lock?.models ?? {};
  const removed = catalog.entries.filter(({ id }) => id in earlier && !selected.has(id)).length;
  if (removed === 0) return [];
  const counted = removed === 1 ? '1 model' : `${removed} models`;
  const message = `the files of ${counted} ${isCheck ? 'would be' : 'were'} removed: --only or generate.only does not select them`;
  return [{ severity: 'warning', code: 'models-not-selected', message }];
}

const maxPlaces = { report: 200, warning: 5 };

/** Prints the report as plain text: the counts, then the diagnostics grouped by code, each with an explanation. */
export function renderReport(report: GenerationReport): string {
  const { models, requests } = report;
  const selection = models.selected === models.listed ? '' : `, ${models.selected} selected`;
  const unread = models.unread === 0 ? '' : ` (${models.unread} could not be read)`;
  const failed =
    models.failed === 0 ? '0 failed' : `${models.failed} failed${unread}; failed models keep their last good output`;
  const lines = [
    `models    ${models.listed} listed${selection}, ${models.generated} generated, ${failed}`,
    `requests  ${requests.asked} documents requested: ${requests.notModified} unchanged, ${requests.fetched} fetched; catalog pages: ${requests.pages}`,
    ...renderWrites(report),
  ];
  let left = maxPlaces.report;
  for (const severity of severities) {
    const own = report.diagnostics.filter((one) => one.severity === severity);
    for (const [code, group] of Map.groupBy(own, (one) => one.code)) {
      const shown = Math.min(group.length, left, severity === 'error' ? left : maxPlaces.warning);
      left -= shown;
      lines.push('', `${severity}  ${code}  (${group.length})`);
      lines.push(...listFirst(group.map(renderDiagnostic), shown).map((line) => `  ${line}`));
      lines.push(`  help: ${diagnosticTexts[code]}`);
    }
  }
  const differences = report.differences === undefined ? '' : renderDifferences(report.differences);
  return `${lines.join('\n')}\n${differences === '' ? '' : `\n${differences}`}`;
}

/** Prints how many files were written and whether the output changed; for a check, what a run would do. */
function renderWrites({ files, refused, changed, differences }: GenerationReport): string[] {
  const { created, replaced, removed, kept } = files;
  if (differences === undefined) {
    const counts = `${created} created, ${replaced} replaced, ${removed} removed, ${kept} kept, ${refused.length} rejected`;
    const isWritten = created + replaced + removed > 0 || refused.length === 0;
    const effect = isWritten
      ? 'changed'
      : 'unchanged; the rejected files listed below were not overwritten and differ from the generated ones';
    return [`files     ${counts}`, `output    ${changed ? effect : 'unchanged'}`];
  }
  const counts = `create ${created}, replace ${replaced}, remove ${removed}, keep ${kept}, reject ${refused.length}`;
  return [`files     would ${counts}`, `output    ${changed ? 'would change; nothing was written' : 'unchanged'}`];
}

function renderDiagnostic({ model, pointer, message }: Diagnostic): string {
  const place = [model, pointer].filter((part) => part !== undefined && part !== '').join(' ');
  return `${place === '' ? '' : `${place}: `}${message}`.replace(/\p{Cc}/gu, ' ');
}
