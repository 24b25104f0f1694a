import {
  addEvaluated,
  all,
  type Check,
  type Compiling,
  demand,
  fails,
  inside,
  isCollecting,
  type JsonSchema,
  type Keyword,
  mayPass,
  type Pass,
  passes,
  refuse,
  type SchemaObject,
  type SchemasByName,
  type ValuePath,
  type Verdict,
} from './check.ts';

export const checkAllOf: Keyword = ({ allOf = [] }, { compile }) => all(allOf.map(compile));

export const checkAnyOf: Keyword = ({ anyOf }, compiling) => {
  if (anyOf === undefined) return undefined;
  const checks = anyOf.map(compiling.compile);
  const explain = compileExplanation(anyOf, checks, compiling);
  return (value, path, pass) => {
    let verdict: Verdict = fails;
    for (const check of checks) {
      const branch = decide(check, value, path, pass);
      if (branch > verdict) verdict = branch;
      // For `unevaluated…`, every matching branch adds the members that it evaluates.
      if (verdict === passes && pass.evaluated === undefined) break;
    }
    return verdict === fails ? explain(value, path, pass) : verdict;
  };
};

export const checkOneOf: Keyword = ({ oneOf }, compiling) => {
  if (oneOf === undefined) return undefined;
  const checks = oneOf.map(compiling.compile);
  const explain = compileExplanation(oneOf, checks, compiling);
  return (value, path, pass) => {
    const verdicts = checks.map((check) => decide(check, value, path, pass));
    const matching = verdicts.filter((verdict) => verdict === passes).length;
    if (matching > 1) {
      const msg = `must match exactly one of the alternatives; it matches ${matching}`;
      return refuse(pass, path, { type: 'union_mismatch', msg });
    }
    if (verdicts.includes(mayPass)) return mayPass;
    return matching === 1 ? passes : explain(value, path, pass);
  };
};

export const checkNot: Keyword = ({ not }, { compile }) => {
  if (not === undefined) return undefined;
  const check = compile(not);
  const reason = { type: 'not_allowed', msg: 'must not match the excluded schema' };
  return (value, path, pass) => {
    const verdict = decide(check, value, path, inside(pass));
    return verdict === mayPass ? mayPass : demand(verdict === fails, pass, path, reason);
  };
};

export const checkConditional: Keyword = (schema, { compile }) => {
  if (schema.if === undefined) return undefined;
  const test = compile(schema.if);
  const ifPassed = compile(schema.then ?? true);
  const ifFailed = compile(schema.else ?? true);
  return (value, path, pass) => {
    const verdict = decide(test, value, path, pass);
    if (verdict === mayPass) return mayPass;
    return (verdict === passes ? ifPassed : ifFailed)(value, path, pass);
  };
};

/** Checks a value that may fail: collects no failures, and only adds evaluated members if the value passes. */
export function decide(check: Check, value: unknown, path: ValuePath, pass: Pass): Verdict {
  const quiet = { ...pass, failures: undefined };
  if (pass.evaluated === undefined) return check(value, path, quiet);
  const evaluated = new Set<string | number>();
  const verdict = check(value, path, { ...quiet, evaluated });
  if (verdict !== fails) addEvaluated(pass, evaluated);
  return verdict;
}

/** Returns a check that adds the failures of the alternative that was probably intended, or one failure with all of them. */
function compileExplanation(schemas: readonly JsonSchema[], checks: readonly Check[], compiling: Compiling): Check {
  const branches = schemas.map((schema, index) => {
    const resolved = resolve(schema, compiling);
    return { resolved, check: checks[index], outline: compiling.compile(outline(resolved)) };
  });
  const others = branches.filter(({ resolved }) => Object(resolved).type !== 'null');
  const alternatives = schemas.slice(0, 8).map((schema) => describe(schema, compiling));
  const rest = schemas.length > alternatives.length ? `, and ${schemas.length - alternatives.length} more` : '';
  const msg = `must match one of the alternatives: ${alternatives.join(', ')}${rest}`;
  const mismatch = { type: 'union_mismatch', msg, ctx: { alternatives } };
  return (value, path, pass) => {
    if (!isCollecting(pass.failures)) return fails;
    const isIntended = (branch: { outline: Check }): boolean =>
      others.length === 1 || decide(branch.outline, value, path, inside(pass)) !== fails;
    const [intended, another] = others.filter(isIntended);
    if (another !== undefined) return refuse(pass, path, mismatch);
    return intended?.check?.(value, path, pass) ?? refuse(pass, path, mismatch);
  };
}

/** Follows one reference. Definitions may refer to each other in circles. */
function resolve(schema: JsonSchema, { findDefinition }: Compiling): JsonSchema {
  return typeof schema === 'object' && schema.$ref !== undefined ? findDefinition(schema.$ref) : schema;
}

/** Returns what shows that an alternative was intended: its type, its values, and its members with a single value. */
function outline(schema: JsonSchema): JsonSchema {
  if (typeof schema === 'boolean') return schema;
  const { type, enum: values, properties } = schema;
  return { ...(type && { type }), ...(values && { enum: values }), properties: listLiterals(properties) };
}

/** Returns the members that have a single value, such as the discriminator of a union. */
function listLiterals(members: SchemasByName = {}): SchemasByName {
  const isLiteral = (member: JsonSchema): boolean => typeof member === 'object' && member.enum?.length === 1;
  return Object.fromEntries(Object.entries(members).filter(([, member]) => isLiteral(member)));
}

function describe(schema: JsonSchema, compiling: Compiling): string {
  const resolved: SchemaObject = Object(resolve(schema, compiling));
  const { title, enum: values, type = 'another schema', properties, required }: SchemaObject = resolved;
  const literals = Object.entries(listLiterals(properties));
  let text = [type].flat().join(' | ');
  if (required !== undefined) text = `object with ${required.join(', ')}`;
  if (literals.length > 0)
    text = `{ ${literals.map(([name, literal]) => `${name}: ${describe(literal, compiling)}`).join(', ')} }`;
  if (values !== undefined) text = values.map((value) => JSON.stringify(value)).join(' | ');
  text = Object(schema).title ?? title ?? text;
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
