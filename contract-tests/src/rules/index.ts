import type { Rule } from '../rule.ts';
import { authenticationRules } from './authentication.ts';
import { cancelRules } from './cancel.ts';
import { catalogRules } from './catalog.ts';
import { collectRules } from './collect.ts';
import { errorRules } from './errors.ts';
import { modelRules } from './model.ts';
import { runRules } from './run.ts';
import { schemaDocumentRules } from './schema-document.ts';
import { statusRules } from './status.ts';
import { submitRules } from './submit.ts';
import { workflowRules } from './workflow.ts';

/** Every rule of the gate, family by family. */
export const rules: readonly Rule[] = [
  ...catalogRules,
  ...modelRules,
  ...schemaDocumentRules,
  ...runRules,
  ...submitRules,
  ...statusRules,
  ...collectRules,
  ...cancelRules,
  ...errorRules,
  ...authenticationRules,
  ...workflowRules,
];
