export { nodePorts } from './adapters/node-files.ts';
export { readCatalog } from './catalog/read-catalog.ts';
export { createRouterClient, type RouterClient } from './catalog/router-client.ts';
export type { RouterReply } from './catalog/router-reply.ts';
export { type Deadline, openDeadline } from './deadline.ts';
export { diagnosticTexts } from './diagnostic-texts.ts';
export { type Diagnostic, type DiagnosticCode, GeneratorError, listFirst } from './diagnostics.ts';
export { type Change, changeTexts, type Verdict } from './diff/change.ts';
export { diffOutputs } from './diff/diff-outputs.ts';
export { type DiffReport, renderDiffMarkdown, renderDiffText } from './diff/diff-report.ts';
export { selectUsed } from './diff/used-by.ts';
export {
  type EmittedFile,
  namePackages,
  type OutputLayout,
  type PackageNames,
} from './emit/emitted-file.ts';
export { makeRuntime } from './emit/package-sources.ts';
export { type GenerateConfig, generate, type Preview, previewOutput } from './generate.ts';
export { indexLockedFiles, lockName, parseLockfile, readLockedBrand } from './output/lockfile.ts';
export { type OutputTree, outputTreeFrom, readOutputTree } from './output/output-tree.ts';
export type { Clock, Files, Http, HttpOutcome, HttpRequest, Ports, Progress, Staging } from './ports.ts';
export type { VersionSetting } from './release/stamp-versions.ts';
export { type Differences, renderDifferences } from './report/differences.ts';
export type { GenerationReport } from './report/report.ts';
export { renderReport } from './report/report.ts';
export { type Verification, verifyOutput } from './report/verify-output.ts';
export { type SiteReport, writeSite } from './site/write-site.ts';
