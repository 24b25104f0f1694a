import { listRules } from './src/conform.ts';
for (const r of listRules()) console.log(`${r.id} [${r.requirements.slice(0,3).join(' ')}] ${r.sentence}`);
