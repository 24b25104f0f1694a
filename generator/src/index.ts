export { nodePorts } from './adapters/node-ports.ts';
export type { Credential, GenerateConfig, Progress } from './config.ts';
export { type Diagnostic, GeneratorError, type GeneratorErrorCode } from './diagnostics.ts';
export type { EmittedFile } from './emit/emitted-file.ts';
export { generate, previewOutput } from './generate.ts';
export type { Change, Clock, Files, Http, HttpOutcome, HttpRequest, Ports } from './ports.ts';
export { renderReport } from './report/render-report.ts';
export type { GenerationReport } from './report/report.ts';
