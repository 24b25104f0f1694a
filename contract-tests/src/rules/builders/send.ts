// Requests of rules, under one name: `send.list('first', '?limit=1')`.

export * from '../../contract/steps.ts';
export * from './router-steps.ts';
export * from './scripted-runs.ts';
