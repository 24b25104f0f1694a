import { expect, test } from 'vitest';
import { isJsonObject, type JsonObject } from '../../../specs/src/index.ts';
import { chooseWorkflow, createJobs, executedGraph, findJob, sandboxJobs, savedWorkflow } from './jobs.ts';

const weekMs = 7 * 24 * 60 * 60 * 1000;
const jobs = createJobs(0);

test.each([
  ['the main account finds its job', sandboxJobs.api, 'account-main', 0, true],
  ['another account does not', sandboxJobs.api, 'account-other', 0, false],
  ['the main account does not find the foreign job', sandboxJobs.foreign, 'account-main', 0, false],
  ['its owner does', sandboxJobs.foreign, 'account-other', 0, true],
  ['an expired job is gone', sandboxJobs.expired, 'account-main', 0, false],
  ['an unknown one was never there', 'nothing', 'account-main', 0, false],
  ['the deadline has not come', sandboxJobs.save, 'account-main', weekMs - 1, true],
  ['the deadline has come', sandboxJobs.save, 'account-main', weekMs, false],
])('%s', (_, id, owner, now, isFound) => {
  expect(findJob(jobs, { id, owner }, now) !== undefined).toBe(isFound);
});

test.each([
  [sandboxJobs.save, 'save', savedWorkflow],
  [sandboxJobs.api, 'api', executedGraph],
  [sandboxJobs.unreadable, 'api', executedGraph],
  [sandboxJobs.deleted, 'api', executedGraph],
])('job %s has the shape %s', (id, format, workflow) => {
  const job = findJob(jobs, { id, owner: 'account-main' }, 0);
  expect(job && chooseWorkflow(job)).toEqual({ format, workflow });
});

test('derives the executed graph from the saved one without notes, layout and set/get pairs, and links only existing nodes', () => {
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
