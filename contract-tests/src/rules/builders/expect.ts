// Expectations on responses, under one name: `expect.on('run', expect.status(200, expect.member('/id', expect.text)))`.

export * from './checks.ts';
export * from './expectations.ts';
export * from './same-response.ts';
