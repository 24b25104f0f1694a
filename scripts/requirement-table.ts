import { listRules, readUnobservable, type Traced } from '../contract-tests/src/index.ts';
import { listFaults } from '../sandbox/src/index.ts';
import { readRequirements } from '../specs/src/index.ts';

/** What the table of `docs/requirements.md` is made from. */
export function traced(): Traced {
  return { rules: listRules(), faults: listFaults(), requirements: readRequirements(), reasons: readUnobservable() };
}
