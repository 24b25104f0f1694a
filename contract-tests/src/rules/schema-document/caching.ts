import type { Step } from '../../probe.ts';
import type { Matcher } from '../../require.ts';
import { get, step } from '../../steps.ts';
import type { SurveyedModel } from '../../survey.ts';
import { schemaDocumentPath } from '../vocabulary/router-steps.ts';

export const read = (name: string, model: Pick<SurveyedModel, 'path'>): Step =>
  step(name, get('router', schemaDocumentPath(model)));
export const privateRevalidate: Matcher<string> = {
  expected: 'private and must-revalidate, never public',
  is: (value) => {
    const directives = value.split(',').map((directive) => directive.trim().toLowerCase());
    return directives.includes('private') && directives.includes('must-revalidate') && !directives.includes('public');
  },
};
