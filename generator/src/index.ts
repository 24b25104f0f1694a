export { nodePorts } from './adapters/node-ports.ts';
export { type Credential, type GenerateConfig, type PackageNames, type Progress, packageNamesIn } from './config.ts';
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
export type { Direction, RuleId, SchemaChange, Verdict } from './diff/schema-change.ts';
export type { EmittedFile } from './emit/emitted-file.ts';
export { prebuildPackages } from './emit/prebuild-packages.ts';
export { generate, previewOutput } from './generate.ts';
export type { Change, Clock, Files, Http, HttpOutcome, HttpRequest, Ports } from './ports.ts';
export { renderReport } from './report/render-report.ts';
export type { GenerationReport } from './report/report.ts';
