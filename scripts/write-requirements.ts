import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { renderTraceability } from '../contract-tests/src/index.ts';
import { packageRoot } from '../specs/src/index.ts';
import { traced } from './requirement-table.ts';

writeFileSync(join(packageRoot(), 'docs', 'requirements.md'), renderTraceability(traced()));
