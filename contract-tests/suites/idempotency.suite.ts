import { rules } from '../src/rules/index.ts';
import { registerFamily } from '../src/runner/suite.ts';

registerFamily('idempotency', rules);
