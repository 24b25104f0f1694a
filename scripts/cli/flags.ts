/** What commander hands to each action; every value is optional that has no default. */
export type SpecFlags = { config?: string; brand?: string; queueStatuses?: string; overlay?: string[] };

export type BuildFlags = SpecFlags & { out: string; json?: boolean };

export type CheckFlags = SpecFlags & { json?: boolean };

export type GenerateFlags = SpecFlags & {
  routerUrl?: string;
  out?: string;
  cache?: string;
  scope?: string;
  only?: string[];
  concurrency?: number;
  check?: boolean;
  frozen?: boolean;
  offline?: boolean;
  strict?: boolean;
  allowEmpty?: boolean;
  outputValidators?: boolean;
  typesOnly?: boolean;
  json?: boolean;
};

export type DiffFlags = GenerateFlags & { format: 'text' | 'markdown' | 'json' };

export type SandboxFlags = SpecFlags & {
  port: number;
  host: string;
  allowRemote?: boolean;
  catalog?: string;
  seed?: number;
  db?: string;
  clock: 'real' | 'manual';
  workflowAuth: 'accounts' | 'static' | 'optional' | 'none';
  log: 'off' | 'text' | 'json';
  fault?: string[];
  variant?: string[];
  listFaults?: boolean;
  listVariants?: boolean;
  json?: boolean;
};

export type MockFlags = SpecFlags & { port: number; json?: boolean };

export type ConformFlags = SpecFlags & {
  target?: 'mock' | 'sandbox' | 'live';
  routerUrl?: string;
  workflowUrl?: string;
  fault?: string[];
  variant?: string[];
  rule?: string[];
  listRules?: boolean;
  selfCheck?: boolean;
  out?: string;
  json?: boolean;
};
