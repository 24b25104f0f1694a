import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import { executedGraph, savedWorkflow } from './jobs.ts';

test('the executed graph has no notes, layout or set/get pairs of the saved one, and only links to existing nodes', () => {
  const saved = objectIn(savedWorkflow)['nodes'];
  const types = (Array.isArray(saved) ? saved : []).map((node) => String(isJsonObject(node) ? node['type'] : ''));
  expect(types).toEqual(expect.arrayContaining(['Note', 'MarkdownNote', 'SetNode', 'GetNode']));
  const executed = objectIn(executedGraph);
  const nodes = Object.values(executed).filter(isJsonObject);
  expect(nodes.map((node) => node['class_type']).toSorted()).toEqual(
    types.filter((type) => !/Note|SetNode|GetNode/.test(type)).toSorted(),
  );
  expect(executedGraph).not.toMatch(/"pos"|"size"|SetNode|GetNode/);
  const links = nodes
    .flatMap((node) => Object.values(isJsonObject(node['inputs']) ? node['inputs'] : {}))
    .filter(Array.isArray);
  expect(links).not.toEqual([]);
  for (const [source] of links) expect(Object.keys(executed)).toContain(source);
});

function objectIn(text: string): JsonObject {
  const value: unknown = JSON.parse(text);
  return isJsonObject(value) ? value : {};
}
