export { nodePorts } from './adapters/node-files.ts';
export type { TlsSettings } from './adapters/node-http.ts';
export { type Credential, createRouterClient } from './catalog/router-client.ts';
export { diagnosticTexts } from './diagnostic-texts.ts';
export { type Diagnostic, GeneratorError, type GeneratorErrorCode } from './diagnostics.ts';
export { diffOutputs } from './diff/diff-outputs.ts';
export {
  type Bump,
  type DiffReport,
  type ModelDiff,
  type PackageDiff,
  renderDiffJson,
  renderDiffMarkdown,
  renderDiffText,
} from './diff/diff-report.ts';
export { type OutputTree, outputTreeOf, readOutputTree } from './diff/output-tree.ts';
export type { ChangeRuleId, Direction, SchemaChange, Verdict } from './diff/schema-change.ts';
export type { Arrangement } from './emit/arrange-package.ts';
export { type EmittedFile, type PackageNames, packageNamesIn } from './emit/emitted-file.ts';
export { prebuildPackages } from './emit/transpile-runtime.ts';
export { generate, previewOutput } from './generate.ts';
export { lockedBrand, lockedPaths, lockName } from './output/lockfile.ts';
export type { Clock, Files, Http, HttpOutcome, HttpRequest, Ports, Progress, Staging } from './ports.ts';
export type { VersionSetting } from './release/stamp-versions.ts';
export { type Differences, renderDifferences } from './report/differences.ts';
export type { GenerationReport } from './report/report.ts';
export { renderReport } from './report/report.ts';
export { type Verification, verifyOutput } from './report/verify-output.ts';
export type { GenerateConfig } from './run.ts';
export { type SiteReport, writeSite } from './site/write-site.ts';
