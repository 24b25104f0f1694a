import { passiveRules } from '../src/passive/index.ts';
import { registerFamily } from '../src/runner/suite.ts';

registerFamily('trace', passiveRules);
