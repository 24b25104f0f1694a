import { type Comparison, compareOptional, report } from './comparison.ts';
import type { SchemaNode } from './schema-node.ts';
import { child, isClosed, type Located } from './schema-parts.ts';

type Pair = { readonly old: SchemaNode; readonly now: SchemaNode; readonly at: Located };

export function compareObjects(pair: Pair, comparison: Comparison): void {
  const { old, now, at } = pair;
  for (const name of new Set([...old.properties.keys(), ...now.properties.keys()]))
    compareProperty(name, pair, comparison);
  for (const name of new Set([...old.required.keys(), ...now.required.keys()])) {
    const isNew = !now.properties.has(name) || !old.properties.has(name);
    // With its property, its being required has come and gone.
    if (isNew && (now.properties.has(name) || old.properties.has(name))) continue;
    compareRequired(name, pair, comparison);
  }
  compareRest(pair, comparison);
  for (const pattern of new Set([...old.patterns.keys(), ...now.patterns.keys()])) {
    const how = { comparison, at: child(at, 'patternProperties', pattern) };
    compareOptional(old.patterns.get(pattern), now.patterns.get(pattern), how);
  }
}

function compareProperty(name: string, { old, now, at }: Pair, comparison: Comparison): void {
  const [before, after] = [old.properties.get(name), now.properties.get(name)];
  const subject = name;
  if (before !== undefined && after !== undefined) comparison.compare(before, after, comparison);
  else if (after !== undefined && isClosed(after)) {
    report(comparison, 'schema-closed', { pointer: after.pointer, subject });
  } else if (after !== undefined) {
    const rule = now.required.has(name) ? 'property-added-required' : 'property-added-optional';
    report(comparison, rule, { pointer: after.pointer, subject, after: after.schema });
  } else if (before !== undefined && !isClosed(before)) {
    report(comparison, 'property-removed', { pointer: before.pointer || at.pointer, subject, before: before.schema });
  }
}

function compareRequired(name: string, { old, now, at }: Pair, comparison: Comparison): void {
  const [before, after] = [old.required.get(name), now.required.get(name)];
  if ((before === undefined) === (after === undefined)) return;
  const rule = after === undefined ? 'property-became-optional' : 'property-became-required';
  report(comparison, rule, {
    pointer: now.properties.get(name)?.pointer ?? after ?? before ?? at.pointer,
    subject: name,
  });
}

function compareRest({ old, now, at }: Pair, comparison: Comparison): void {
  const [before, after] = [old.additional, now.additional];
  const pointer = child(at, 'additionalProperties');
  const [wasClosed, isNowClosed] = [before, after].map((one) => one !== undefined && isClosed(one));
  if (wasClosed && isNowClosed) return;
  if (isNowClosed) report(comparison, 'object-closed', { pointer: after?.pointer ?? pointer });
  else if (wasClosed) report(comparison, 'object-opened', { pointer: after?.pointer ?? pointer });
  else compareOptional(before, after, { comparison, at: pointer });
}

export function compareArrays({ old, now, at }: Pair, comparison: Comparison): void {
  const length = Math.max(old.prefix.length, now.prefix.length);
  for (let index = 0; index < length; index++) {
    const how = { comparison, at: child(at, 'prefixItems', index) };
    compareOptional(old.prefix[index] ?? old.items, now.prefix[index] ?? now.items, how);
  }
  compareOptional(old.items, now.items, { comparison, at: child(at, 'items') });
}
