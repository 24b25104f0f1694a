// The entry point of `import … from 'openapi-switchyard'`: the typed configuration, and the sandbox for tests.
export {
  createSandbox,
  manualClock,
  type Sandbox,
  type SandboxOptions,
  sandboxCredentials,
  systemClock,
} from '../sandbox/src/index.ts';
export {
  buildEffectiveSpecs,
  defaultSpecSettings,
  type EffectiveSpecs,
  parseBrand,
  type SpecSettings,
} from '../specs/src/index.ts';
export { defineConfig, type SwitchyardConfig } from './cli/config.ts';
