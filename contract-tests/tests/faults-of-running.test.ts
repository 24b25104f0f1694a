import { proveFamilies } from './fault-proof.ts';
import { runningFamilies } from './rule-families.ts';

await proveFamilies(runningFamilies);
