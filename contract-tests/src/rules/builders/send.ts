// Requests of rules, under one name: `send.run('run', authored, send.asCaller('neighbour'))`.

export * from '../../contract/steps.ts';
export * from './keyed-calls.ts';
export * from './router-steps.ts';
export * from './scripted-runs.ts';
