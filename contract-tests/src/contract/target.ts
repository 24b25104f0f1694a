import {
  type EffectiveSpecs,
  isJsonObject,
  type JsonObject,
  listOperations,
  type Operation,
  type TlsSettings,
} from '../../../specs/src/index.ts';
import {
  type Capability,
  type Condition,
  type CredentialName,
  type GivenInput,
  type JobName,
  listRows,
  type Requisite,
  type StatementName,
} from '../requires.ts';
import { memoize } from './cache.ts';

export type ApiName = 'router' | 'workflow';
export type TargetKind = 'mock' | 'sandbox' | 'live';
export type Credentials = Partial<Record<CredentialName, string>>;
export type Jobs = Partial<Record<JobName, string>>;

/** A model that the gate may run on a live target. Its inputs must be valid for the model's own schema. */
export type LiveModel = { readonly input: JsonObject } & Readonly<Partial<Record<GivenInput, JsonObject>>> & {
    readonly id: string;
    /** A second provider of the model, an input that both providers accept, and the fields that the conversion drops. */
    readonly alternate?: { readonly provider: string; readonly input: JsonObject; readonly drops: readonly string[] };
    /** A value for `fallback_provider`, and an input that fails at the first provider and succeeds at another one. */
    readonly fallback?: { readonly value: string; readonly input: JsonObject };
    /** True if the credential `barred` has no access to the model. */
    readonly barred?: boolean;
    /** Inputs as JSON text, by member name. They are sent unchanged, because JavaScript would round large numbers. */
    readonly texts?: Readonly<Record<string, string>>;
    /** True if equal inputs give equal outputs. Rules that compare two outputs need it. */
    readonly deterministic?: boolean;
    readonly maxCostCents?: number;
  };

export type OwnerStatements = { readonly ceiling?: number } & Readonly<
  Partial<Record<Exclude<StatementName, 'ceiling'>, boolean>>
>;

export type Budget = { readonly runs: number; readonly models: readonly LiveModel[] };

/** `isSecret` (default true): hide the value everywhere. `variable`: environment variable to use in curl commands. */
export type GatewayHeader = {
  readonly name: string;
  readonly value: string;
  readonly isSecret?: boolean;
  readonly variable?: string;
};

/** Address of the test hooks. The credential is only sent to this address. */
export type HooksAddress = { readonly url: string; readonly credential?: string };

export type RequiredReadings = 'required' | Readonly<Record<string, 'required'>>;

export type Target = {
  readonly kind: TargetKind;
  readonly router?: {
    readonly url: string;
    readonly credentials: Credentials;
    /** Header for the credential `main` unless a rule sets one; `bearer` for tokens. Default: `api-key`. */
    readonly scheme?: 'api-key' | 'bearer';
  };
  readonly workflow?: {
    readonly url: string;
    readonly credentials: Credentials;
    readonly jobs: Jobs;
    /** Graphs of the `jobs` as JSON text. Responses must contain them unchanged. */
    readonly graphs?: Partial<Record<JobName, string>>;
    /** Whether calls need a credential, as stated by the owner. If absent, both behaviours are accepted (OP-250). */
    readonly authentication?: 'required' | 'open';
  };
  /** Headers for a gateway in front of the target, sent with every request, also to the test hooks. */
  readonly headers?: readonly GatewayHeader[];
  readonly tls?: TlsSettings;
  readonly stated?: OwnerStatements;
  /** Budget of a live target. Without it, no call that could start a run is sent. */
  readonly budget?: Budget;
  readonly readings?: RequiredReadings;
  /** Address of the test hooks. The gate only uses a configured address and doesn't search for hooks. */
  readonly hooks?: HooksAddress;
  /** Default: none for a mock, all except the test hooks for other targets. */
  readonly capabilities?: readonly Capability[];
  /** Additional secrets that no report may show. */
  readonly secrets?: readonly string[];
  /** Additional locations of secrets: headers and query parameters by name, members of JSON bodies by pointer. */
  readonly redact?: Readonly<Partial<Record<'headers' | 'query' | 'pointers', readonly string[]>>>;
  /** Names of the environment variables that contain the credentials, for curl commands in reports. */
  readonly variables?: Partial<Record<ApiName, Readonly<Record<string, string>>>>;
};

export function listCapabilities(target: Target): readonly Capability[] {
  return target.capabilities ?? (target.kind === 'mock' ? [] : ['state', 'validation', 'authentication']);
}

/** True for a JSON Web Token: three base64url segments, the first a JSON object with `alg` (RFC 7519, section 3). */
export function isJwt(credential: string): boolean {
  const [, header] = /^([\w-]+)\.[\w-]+\.[\w-]*$/.exec(credential) ?? [];
  try {
    const parsed: unknown = JSON.parse(Buffer.from(header ?? '', 'base64url').toString());
    return isJsonObject(parsed) && parsed['alg'] !== undefined;
  } catch {
    return false;
  }
}

/** Returns the header for a credential. Both headers accept an API key, but a JWT is only accepted as a bearer token. */
export function findScheme(router: NonNullable<Target['router']>, credential: string): 'api-key' | 'bearer' {
  const { scheme = 'api-key', credentials } = router;
  return credential !== credentials.main && isJwt(credential) ? 'bearer' : scheme;
}

/** True if the target has what a row requires. A mock accepts any job and doesn't distinguish credentials. */
export function meetsRequisite(target: Target, { kind, name, api }: Requisite): boolean {
  const { router, workflow, stated, budget = { runs: 0, models: [] } } = target;
  const isSet = (settings: object | undefined): boolean => Reflect.get(settings ?? {}, name) !== undefined;
  switch (kind) {
    case 'address':
      return isSet(target);
    case 'credential':
      return target.kind !== 'mock' && isSet(api && target[api]?.credentials);
    case 'job':
      return name === 'graphs' ? workflow?.graphs !== undefined : target.kind === 'mock' || isSet(workflow?.jobs);
    case 'statement':
      return isSet(stated) && Reflect.get(stated ?? {}, name) !== false;
    case 'key':
      return router?.scheme !== 'bearer';
    case 'budget':
      return target.kind !== 'live' || (name === 'models' ? budget.models.length : budget.runs) > 0;
    case 'input':
      return usesOwnerInputs(target) && budget.models.some(isSet);
    case 'hook':
    case 'capability':
      return listCapabilities(target).some((one) => one === name);
  }
}

export function meets(target: Target, condition: Condition): boolean {
  return listRows(condition).some((row) => meetsRequisite(target, row));
}

/** True if rules use inputs from `conform.live.models`, because the target has no outcomes model. */
export function usesOwnerInputs(target: Target): boolean {
  return target.kind === 'live' && !listCapabilities(target).includes('outcomes');
}

/** The two models whose input selects the outcome. They call no provider and are never billed. */
export const outcomesModel = 'sandbox/outcomes';
export const alternateModel = 'sandbox-two/outcomes';

/** Models of the hook `families`: one or two for each row of the documented table of assets. */
export const familyModels = [
  'image-provider/still-2.1',
  'video-provider/motion4-turbo',
  'video-provider-two/extend',
  'image-video-provider/draw-1',
  'image-video-provider/animate',
  'video-provider/frame',
  'image-provider-two/still-pro',
] as const;

/** Returns the models of these hooks, which call no provider. Without the hooks, the same ids may be real models. */
export function listModelsOfHooks(hooks: readonly string[]): readonly string[] {
  if (!hooks.includes('outcomes') && !hooks.includes('alternate')) return [];
  return [outcomesModel, alternateModel, ...(hooks.includes('families') ? familyModels : [])];
}

/** Literal paths come first: `/openapi.json` below a model could also match a pattern with more parameters. */
const compileRoutes = memoize((specs: EffectiveSpecs) =>
  listOperations(specs)
    .map((operation) => {
      const literal = operation.path.replace(/[.*+?^$()|[\]\\]/g, '\\$&');
      const pattern = new RegExp(`^${literal.replace(/\{([^}]+)\}/g, '(?<$1>[^/]+)')}$`);
      return { operation, pattern, parameters: literal.split('{').length };
    })
    .toSorted((one, other) => one.parameters - other.parameters),
);

type RequestLine = { readonly method: string; readonly url: string };

/** Operation of a request, with the path parameters and query as sent. */
export type RequestedOperation = {
  readonly operation: Operation;
  readonly parameters: readonly (readonly [name: string, segment: string])[];
  readonly query: string;
};

/** Returns the operation of a request below one of these base URLs; undefined if the request matches none. */
export function findOperation(
  { method, url }: RequestLine,
  bases: readonly (string | undefined)[],
  specs: EffectiveSpecs,
): RequestedOperation | undefined {
  const paths = bases.flatMap((base) => {
    const root = base?.replace(/\/+$/, '');
    return root !== undefined && url.startsWith(root) ? [url.slice(root.length).split('?', 2)] : [];
  });
  for (const { operation, pattern } of compileRoutes(specs)) {
    if (operation.method !== method) continue;
    for (const [path = '', query = ''] of paths) {
      const match = pattern.exec(path);
      if (match !== null) return { operation, parameters: Object.entries(match.groups ?? {}), query };
    }
  }
  return undefined;
}
